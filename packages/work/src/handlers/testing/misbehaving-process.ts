import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TestEngine } from "@gatehouse/db/testing/engines";
import { expect } from "vitest";
import { openInbox } from "./inbox.ts";
import { MISBEHAVING, misbehaving } from "./misbehaving.ts";

const PROGRAM = fileURLToPath(new URL("./handlers-process.ts", import.meta.url));
const MEMORY_MB = 256;

export type Misbehaviour = keyof typeof MISBEHAVING;

/** How the one run of each misbehaving handler ends. */
const ENDS: Record<Misbehaviour, RegExp> = {
  "payout.created": /^the process ended while running it \(signal SIGKILL\)$/,
  "payout.failed": /the handler called process\.exit\(0\)|exit code 0/,
  "payout.canceled": /^not done after 1 s, and it kept the process busy/,
  "payout.paid": /^TypeError: nobody waits for this$/,
  "payout.updated": /^the process ended while running it \(signal SIGABRT, as when memory runs out\)$/,
  "charge.updated": /^the process ended while running it \(signal SIGABRT, as when memory runs out\)$/,
  "charge.failed": /^RangeError: thrown by a timer$/,
  "charge.pending": /^the process ended while running it/,
};
export const MISBEHAVIOURS = Object.keys(MISBEHAVING) as Misbehaviour[];
const GOOD = 3;
/** Each process takes seconds to start on a busy machine. */
const SETTLED_WITHIN_MS = 240_000;

export const eventOf = (id: string, type: string) => ({
  id,
  type,
  created: 1_700_000_000,
  data: { object: { id: "in_1" } },
});

/** An inbox whose handlers run in a process of their own. */
export function openInboxWithProcess(engine: TestEngine) {
  const spawn = (databaseUrl: string) =>
    fork(PROGRAM, [databaseUrl, String(MEMORY_MB)], {
      execArgv: ["--import", "tsx", `--max-old-space-size=${MEMORY_MB / 2}`],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
  return openInbox(engine, { handlers: misbehaving, spawn });
}

/**
 * Delivers an event of each type, and others beside them; each misbehaving handler has failed once, the others were
 * handled at once.
 */
export async function expectToFailAlone(engine: TestEngine, types: readonly Misbehaviour[]): Promise<void> {
  const inbox = await openInboxWithProcess(engine);
  try {
    for (const [at, type] of types.entries()) await inbox.deliver(eventOf(`evt_bad_${at}`, type));
    for (let at = 0; at < GOOD; at++) await inbox.deliver(eventOf(`evt_good_${at}`, "invoice.paid"));
    await inbox.settle(SETTLED_WITHIN_MS);
    const attempts = (await inbox.attempts()).map(({ handler, trigger, outcome, error }) => ({
      handler,
      trigger,
      outcome,
      error,
    }));
    const good = { handler: "invoice.paid", trigger: "initial", outcome: "ok", error: null };
    const bad = types.map((handler) => {
      const outcome = handler === "payout.canceled" ? "timeout" : "error";
      return { handler, trigger: "initial", outcome, error: expect.stringMatching(ENDS[handler]) };
    });
    expect(attempts).toHaveLength(GOOD + types.length);
    expect(attempts).toEqual(expect.arrayContaining([...Array(GOOD).fill(good), ...bad]));
    const states = (await inbox.events()).map(({ eventType, state }) => `${eventType} ${state}`).sort();
    expect(states).toEqual(
      [...Array(GOOD).fill("invoice.paid handled"), ...types.map((type) => `${type} dead`)].sort(),
    );
  } finally {
    await inbox.close();
  }
}
