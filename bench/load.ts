// The load generator, a separate process: reads a job from standard input, and writes the figures to standard output.
import { text } from "node:stream/consumers";
import { type Answer, type Connection, open } from "./connection.ts";
import { type Usage, usageOf } from "./proc.ts";
import { createLatencies } from "./statistics.ts";
import { render, stripeRequest, type Traffic } from "./traffic.ts";

export type Job = {
  port: number;
  /** The server's process, whose CPU time is read at the start and the end of the measurement. */
  pid: number;
  traffic: Traffic;
  connections: number;
  expectedStatus: number;
  warmSeconds: number;
  seconds: number;
};

export type Figures = {
  requests: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  cpuMicros: number;
  rssMib: number;
  /** How busy the generator's core was, 0 to 1. Near 1, the load generator was the bottleneck. */
  loadBusy: number;
  /** Errors and their counts; any error invalidates the run. */
  errors: Record<string, number>;
};

const NO_FIGURES: Omit<Figures, "errors"> = { requests: 0, seconds: 0, p50Ms: 0, p99Ms: 0, cpuMicros: 0, rssMib: 0, loadBusy: 0 };

/** Gives each connection its next request. `answered` is its last response; undefined when there are no more. */
type Script = (connection: number, answered: Answer | undefined) => Buffer | undefined;

function scriptOf(traffic: Traffic, host: string): Script {
  if (traffic.kind === "fixed") {
    const bytes = render(traffic.request, host);
    return () => bytes;
  }
  if (traffic.kind === "chain") {
    const next = new RegExp(`"${traffic.member}":\\s*"([^"]+)"`);
    return (connection, answered) => {
      const value = answered ? next.exec(answered.text())?.[1] : traffic.first[connection];
      return value === undefined ? undefined : render(traffic.request, host, value);
    };
  }
  const prepared =
    traffic.kind === "each"
      ? traffic.values.map((value) => render(traffic.request, host, value))
      : Array.from({ length: traffic.count }, () => render(stripeRequest(traffic.path, traffic.secret), host));
  return () => prepared.pop();
}

async function run(job: Job): Promise<Figures> {
  const script = scriptOf(job.traffic, `127.0.0.1:${job.port}`);
  const latencies = createLatencies();
  const errors: Record<string, number> = {};
  const fail = (what: string) => {
    errors[what] = (errors[what] ?? 0) + 1;
  };

  const connections: Connection[] = [];
  const sentAt = new Float64Array(job.connections);
  let beganAt = Number.POSITIVE_INFINITY;
  let before: { server: Usage; own: NodeJS.CpuUsage } | undefined;
  let over = false;
  let finish = (_figures: Figures) => {};
  const finished = new Promise<Figures>((resolve) => {
    finish = resolve;
  });

  function say(index: number, answered: Answer | undefined): void {
    const request = script(index, answered);
    sentAt[index] = performance.now();
    if (request === undefined) end();
    else connections[index]?.send(request);
  }

  function end(): void {
    over = true;
    const seconds = (performance.now() - beganAt) / 1000;
    for (const connection of connections) connection.close();
    if (!before) {
      finish({ ...NO_FIGURES, errors: { ...errors, "nothing left before the measuring began": 1 } });
      return;
    }
    const server = usageOf(job.pid);
    const own = process.cpuUsage(before.own);
    finish({
      requests: latencies.count(),
      seconds,
      p50Ms: latencies.percentile(0.5),
      p99Ms: latencies.percentile(0.99),
      cpuMicros: (server.cpuMicros - before.server.cpuMicros) / latencies.count(),
      rssMib: server.rssMib,
      loadBusy: (own.user + own.system) / 1e6 / seconds,
      errors,
    });
  }

  function onAnswer(index: number, answer: Answer): void {
    if (over) return;
    const now = performance.now();
    if (answer.status !== job.expectedStatus) fail(`status ${answer.status}`);
    if (!before && now >= warmUntil) {
      before = { server: usageOf(job.pid), own: process.cpuUsage() };
      beganAt = performance.now();
    } else if (before) {
      latencies.add(now - (sentAt[index] ?? now));
    }
    if (now - beganAt >= job.seconds * 1000) end();
    else say(index, answer);
  }

  for (let index = 0; index < job.connections; index++) {
    const lost = (error: Error) => !over && fail(error.message);
    connections.push(await open(job.port, (answer) => onAnswer(index, answer), lost));
  }
  const warmUntil = performance.now() + job.warmSeconds * 1000;
  connections.forEach((_, index) => {
    say(index, undefined);
  });
  return finished;
}

process.stdout.write(JSON.stringify(await run(JSON.parse(await text(process.stdin)))));
