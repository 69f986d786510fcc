import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { engines } from "@gatehouse/db/testing";
import { afterEach, describe, expect, test } from "vitest";
import { type Inbox, openInbox } from "../testing/inbox.ts";
import { MISBEHAVING, misbehaving } from "../testing/misbehaving.ts";

const PROGRAM = fileURLToPath(new URL("../testing/handlers-process.ts", import.meta.url));
const MEMORY_MB = 256;

const start = (databaseUrl: string) =>
  fork(PROGRAM, [databaseUrl, String(MEMORY_MB)], {
    execArgv: ["--import", "tsx", `--max-old-space-size=${MEMORY_MB / 2}`],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });

const event = (id: string, type: string) => ({ id, type, created: 1_700_000_000, data: { object: { id: "in_1" } } });

/** How the one run of each misbehaving handler ends. */
const ENDS: Record<string, RegExp> = {
  "payout.created": /^the process ended while running it \(signal SIGKILL\)$/,
  "payout.failed": /the handler called process\.exit\(0\)|exit code 0/,
  "payout.canceled": /^not done after 1 s/,
  "payout.paid": /^TypeError: nobody waits for this$/,
  "payout.updated": /^the process ended while running it \(signal SIGABRT\)$/,
  "charge.updated": /^the process ended while running it \(signal SIGABRT\)$/,
  "charge.failed": /^RangeError: thrown by a timer$/,
  "charge.pending": /^the process ended while running it/,
};

describe.each(engines)("handlers in a process of their own, on $name", (engine) => {
  let inbox: Inbox;
  afterEach(() => inbox.close());

  test("OP-23 a handler that ends its process has failed once, and the runs beside it do not count", async () => {
    inbox = await openInbox(engine, { handlers: misbehaving, spawn: start });
    const types = engine.name === "sqlite" ? Object.keys(ENDS) : ["payout.created", "payout.paid"];
    const good = ["evt_1", "evt_2", "evt_3"];
    for (const [at, type] of types.entries()) {
      await inbox.deliver(event(`evt_bad_${at}`, type));
      const id = good[at];
      if (id !== undefined) await inbox.deliver(event(id, "invoice.paid"));
    }
    await inbox.settle(90_000);
    const attempts = await inbox.attempts();
    for (const type of types)
      expect(attempts.filter(({ handler }) => handler === type)).toMatchObject([
        { outcome: type === "payout.canceled" ? "timeout" : "error", error: expect.stringMatching(ENDS[type] ?? "") },
      ]);
    expect(attempts.filter(({ handler }) => handler === "invoice.paid")).toMatchObject(
      good.slice(0, types.length).map(() => ({ trigger: "initial", outcome: "ok" })),
    );
    const states = (await inbox.events()).map(({ eventType, state }) => `${eventType} ${state}`).sort();
    expect(states).toEqual(
      [...good.slice(0, types.length).map(() => "invoice.paid handled"), ...types.map((type) => `${type} dead`)].sort(),
    );
  }, 120_000);
});

test("every misbehaviour has an end", () => expect(Object.keys(MISBEHAVING)).toEqual(Object.keys(ENDS)));
