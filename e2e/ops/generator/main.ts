// The load generator, a process of its own: reads a job from standard input, and writes what it measured to standard output.
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { render } from "./connection.ts";
import type { Job, Measured, Times } from "./job.ts";
import { openPool } from "./pool.ts";

/** A client that has waited longer has given up. */
const LATE_MS = 10_000;
const MOST_CONNECTIONS = 2_000;
const RECONNECT_MS = 20;
/** A server accepts one connection in each turn of its event loop. */
const OPENING_MS = 2_000;

async function run({ port, calls, load, warmSeconds, seconds, addresses = [] }: Job): Promise<Measured> {
  const requests = calls.map((call) => render(call, port));
  const opened = "perSecond" in load ? (load.open ?? 0) : 0;
  const began = performance.now() + (opened > 0 ? OPENING_MS : 0);
  const from = began + warmSeconds * 1_000;
  const to = from + seconds * 1_000;
  const times = new Map<string, number[]>();
  const behind: number[] = [];
  let [sent, without, isOver] = [0, 0, false];

  const note = (outcome: string, due: number) => {
    if (due < from || due >= to) return;
    const of = times.get(outcome) ?? [];
    times.set(outcome, of);
    of.push(performance.now() - due);
  };
  const next = () => requests[sent++ % requests.length] as Buffer;
  const most = "perSecond" in load ? MOST_CONNECTIONS : load.connections;
  const pool = openPool({ port, most, addresses, next }, (due, outcome) => {
    note(outcome === "lost" ? "lost" : String(outcome.status), due);
    if (outcome !== "lost" && outcome.status === 503 && !outcome.retryAfter) without += 1;
    if (isOver || "perSecond" in load) return;
    if (outcome === "lost") setTimeout(() => pool.begin(performance.now()), RECONNECT_MS);
    else pool.begin(performance.now());
  });

  pool.open(opened);
  await pause(began - performance.now());
  let cpu = process.cpuUsage();
  setTimeout(() => {
    cpu = process.cpuUsage();
  }, warmSeconds * 1_000);
  if ("perSecond" in load) await sendAt(load.perSecond);
  else {
    for (let connection = 0; connection < load.connections; connection++) pool.begin(performance.now());
    await pause(to - performance.now());
  }
  isOver = true;
  const { user, system } = process.cpuUsage(cpu);
  if ("perSecond" in load) {
    while (pool.pending().length > 0 && performance.now() < to + LATE_MS) await pause(20);
    for (const due of pool.pending()) note("late", due);
  }
  pool.close();
  return {
    seconds,
    outcomes: Object.fromEntries([...times].map(([outcome, of]) => [outcome, timesOf(of)])),
    without,
    behindMs: timesOf(behind).p99,
    busy: (user + system) / 1e6 / seconds,
  };

  async function sendAt(perSecond: number): Promise<void> {
    for (let number = 0; performance.now() < to; await pause(1)) {
      for (;;) {
        const due = began + (number * 1_000) / perSecond;
        const lateMs = performance.now() - due;
        if (lateMs < 0) break;
        if (due >= from) behind.push(lateMs);
        pool.begin(due);
        number += 1;
      }
    }
  }
}

function timesOf(all: readonly number[]): Times {
  const sorted = Float64Array.from(all).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

process.stdout.write(JSON.stringify(await run(JSON.parse(await text(process.stdin)) as Job)));
