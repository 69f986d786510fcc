// The load generator, a separate process: reads a job from standard input, and writes the figures to standard output.
import { text } from "node:stream/consumers";
import { type Answer, type Connection, open } from "./connection.ts";
import { monotonicMicros, type Usage, usageOf } from "./proc.ts";
import { createLatencies } from "./statistics.ts";
import { render, type Source, stripeRequest, type Traffic } from "./traffic.ts";

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
  /** When it was measured, in microseconds of the monotonic clock. */
  period: { from: number; to: number };
  /** How busy the generator's core was, 0 to 1. Near 1, the load generator was the bottleneck. */
  loadBusy: number;
  /** Errors and their counts; any error invalidates the run. */
  errors: Record<string, number>;
};

const NO_FIGURES: Omit<Figures, "errors"> = {
  requests: 0,
  seconds: 0,
  p50Ms: 0,
  p99Ms: 0,
  cpuMicros: 0,
  rssMib: 0,
  loadBusy: 0,
  period: { from: 0, to: 0 },
};

/** The next request, or undefined when there are no more. Told each response, which can say what comes later. */
type Script = { next(): Buffer | undefined; answered(answer: Answer): void };

function scriptOf(traffic: Traffic, host: string): Script {
  if (traffic.kind !== "mix") return scriptOfSource(traffic, host);
  const scripts = traffic.sources.map((source) => scriptOfSource(source, host));
  let at = 0;
  return {
    next: () => scripts[traffic.order[at++ % traffic.order.length] ?? 0]?.next(),
    answered(answer) {
      for (const script of scripts) script.answered(answer);
    },
  };
}

function scriptOfSource(source: Source, host: string): Script {
  const answered = () => {};
  if (source.kind === "fixed") {
    const bytes = render(source.request, host);
    return { next: () => bytes, answered };
  }
  if (source.kind === "chain") {
    const successor = new RegExp(`"${source.member}":\\s*"([^"]+)"`);
    const values = [...source.first];
    return {
      next() {
        const value = values.shift();
        return value === undefined ? undefined : render(source.request, host, value);
      },
      answered(answer) {
        const value = successor.exec(answer.text())?.[1];
        if (value !== undefined) values.push(value);
      },
    };
  }
  if (source.kind === "stripe") {
    const prepared = Array.from({ length: source.count }, () =>
      render(stripeRequest(source.path, source.secret), host),
    );
    return { next: () => prepared.pop(), answered };
  }
  const prepared = source.values.map((value) => render(source.request, host, value));
  let at = 0;
  return source.kind === "each"
    ? { next: () => prepared[at++], answered }
    : { next: () => prepared[at++ % prepared.length], answered };
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
  let from = 0;
  let over = false;
  let finish = (_figures: Figures) => {};
  const finished = new Promise<Figures>((resolve) => {
    finish = resolve;
  });

  function say(index: number): void {
    const request = script.next();
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
      period: { from, to: monotonicMicros() },
      loadBusy: (own.user + own.system) / 1e6 / seconds,
      errors,
    });
  }

  function onAnswer(index: number, answer: Answer): void {
    if (over) return;
    const now = performance.now();
    script.answered(answer);
    if (answer.status !== job.expectedStatus) fail(`status ${answer.status}`);
    if (!before && now >= warmUntil) {
      before = { server: usageOf(job.pid), own: process.cpuUsage() };
      beganAt = performance.now();
      from = monotonicMicros();
    } else if (before) {
      latencies.add(now - (sentAt[index] ?? now));
    }
    if (now - beganAt >= job.seconds * 1000) end();
    else say(index);
  }

  for (let index = 0; index < job.connections; index++) {
    const lost = (error: Error) => !over && fail(error.message);
    connections.push(await open(job.port, (answer) => onAnswer(index, answer), lost));
  }
  const warmUntil = performance.now() + job.warmSeconds * 1000;
  connections.forEach((_, index) => {
    say(index);
  });
  return finished;
}

process.stdout.write(JSON.stringify(await run(JSON.parse(await text(process.stdin)))));
