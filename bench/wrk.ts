import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Figures, Job } from "./load.ts";
import { monotonicMicros, type Usage, usageOf } from "./proc.ts";
import { onLoadCore, temporaryFolder } from "./processes.ts";
import { type HttpRequest, render, type Source, split, stripeRequest } from "./traffic.ts";

/**
 * Whether `wrk` is installed: its requests are not in step with the event loop of the server, as those of a generator
 * in Node are.
 */
export const hasWrk = spawnSync("wrk", ["--version"]).error === undefined;

const SCRIPT = join(import.meta.dirname, "wrk.lua");
const MORE_SECONDS = 60;

/** Warms up and measures with wrk, each in a process of its own. */
export async function runWrk(job: Job): Promise<Figures> {
  const { folder, remove } = temporaryFolder("wrk");
  try {
    const [warm, measured] =
      job.warmSeconds > 0
        ? split(job.traffic, job.warmSeconds / (job.warmSeconds + job.seconds))
        : [undefined, job.traffic];
    if (warm) await once({ ...job, traffic: warm, seconds: job.warmSeconds }, join(folder, "warm"));
    return await once({ ...job, traffic: measured }, join(folder, "measured"));
  } finally {
    remove();
  }
}

async function once(job: Job, prefix: string): Promise<Figures> {
  const file = `${prefix}.lua`;
  writeFileSync(file, jobFile(job, prefix));
  const url = `http://127.0.0.1:${job.port}`;
  // wrk counts whole seconds.
  const duration = `${Math.max(1, Math.round(job.seconds))}s`;
  const args = ["-t1", `-c${job.connections}`, `-d${duration}`, "--timeout", "10s", "-s", SCRIPT, url, "--", file];
  const [program = "", ...rest] = onLoadCore(["wrk", ...args]);
  const [before, from] = [usageOf(job.pid), monotonicMicros()];
  const { stdout } = await promisify(execFile)(program, rest, { timeout: (job.seconds + MORE_SECONDS) * 1000 });
  return { ...figuresOf(stdout, job, before, usageOf(job.pid)), period: { from, to: monotonicMicros() } };
}

type Printed = Record<
  | "requests"
  | "micros"
  | "p50"
  | "p99"
  | "cpuSeconds"
  | "connect"
  | "read"
  | "write"
  | "timeout"
  | "status"
  | "unexpected"
  | "exhausted",
  number
>;

/** The figures in what wrk printed. Every status but the expected one is an error, and so is a lost connection. */
export function figuresOf(
  output: string,
  { expectedStatus }: Pick<Job, "expectedStatus">,
  before: Usage,
  after: Usage,
): Omit<Figures, "period"> {
  const line = output.split("\n").findLast((one) => one.startsWith("{"));
  if (line === undefined) throw new Error(`wrk ended without figures:\n${output.slice(-2000)}`);
  const printed = JSON.parse(line) as Printed;
  const failures: Record<string, number> = {
    "connection refused": printed.connect,
    "connection lost": printed.read + printed.write,
    "no response in 10 s": printed.timeout,
    // Without a check of its own, wrk counts what is above 399.
    "unexpected status": expectedStatus < 400 ? Math.max(printed.status, printed.unexpected) : printed.unexpected,
    "values used up": printed.exhausted,
  };
  const seconds = printed.micros / 1e6;
  return {
    requests: printed.requests,
    seconds,
    p50Ms: printed.p50 / 1000,
    p99Ms: printed.p99 / 1000,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / printed.requests,
    rssMib: after.rssMib,
    loadBusy: printed.cpuSeconds / seconds,
    errors: Object.fromEntries(Object.entries(failures).filter(([, times]) => times > 0)),
  };
}

/** The job as a Lua module; requests that differ are in files of their own. */
function jobFile({ traffic, port, expectedStatus }: Job, prefix: string): string {
  const host = `127.0.0.1:${port}`;
  const [sources, order] = traffic.kind === "mix" ? [traffic.sources, traffic.order] : [[traffic], [0]];
  const described = sources.map((source, at) => `{ ${describe(source, host, `${prefix}-${at}.requests`)} }`);
  const places = order.map((at) => at + 1).join(", ");
  return `return { expected = ${expectedStatus}, check = ${expectedStatus >= 400}, order = { ${places} }, sources = {\n${described.join(",\n")}\n} }\n`;
}

function describe(source: Source, host: string, file: string): string {
  if (source.kind === "fixed") return `fixed = ${luaString(render(source.request, host).toString("latin1"))}`;
  if (source.kind === "chain") return describeChain(source, host);
  const requests =
    source.kind === "stripe"
      ? Array.from({ length: source.count }, () => render(stripeRequest(source.path, source.secret), host))
      : source.values.map((value) => render(source.request, host, value));
  return `file = ${luaString(file)}, size = ${writeRecords(file, requests)}, once = ${source.kind !== "turn"}`;
}

/** Writes requests of one length one after the other; returns that length. */
function writeRecords(file: string, requests: readonly Buffer[]): number {
  const size = requests[0]?.length ?? 0;
  if (requests.some(({ length }) => length !== size)) throw new Error("the requests of a workload differ in length");
  writeFileSync(file, Buffer.concat(requests));
  return size;
}

function describeChain({ request, first, member }: Extract<Source, { kind: "chain" }>, host: string): string {
  const [before = "", after = ""] = request.body.split("{value}");
  const head = headOf(request, host);
  const pattern = `"${member}":%s*"([^"]+)"`;
  const texts = { head, before: `\r\n\r\n${before}`, after, pattern };
  const members = Object.entries(texts).map(([name, text]) => `${name} = ${luaString(text)}`);
  const values = `values = { ${first.map(luaString).join(", ")} }, last = ${first.length}`;
  return [...members, `bytes = ${before.length + after.length}`, values].join(", ");
}

/** Everything before the length of the body. */
function headOf({ method, path, headers }: HttpRequest, host: string): string {
  const lines = Object.entries({ Host: host, ...headers }).map(([name, text]) => `${name}: ${text}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}Content-Length: `;
}

/** A literal of Lua, for text in Latin-1. */
export const luaString = (text: string) => `"${[...text].map(escaped).join("")}"`;
const escaped = (character: string) =>
  /[\w .,:;/=&%+*()<>@!?'[\]{}|~^$#-]/.test(character)
    ? character
    : `\\${String(character.charCodeAt(0)).padStart(3, "0")}`;
