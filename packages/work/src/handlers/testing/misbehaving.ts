import { defineHandlers, type HandlerMap } from "../define.ts";

const once = (run: () => Promise<void>) => ({ maxAttempts: 1, run });

const kept: unknown[] = [];

/** What handlers must not be able to do to the server, by event type. */
export const MISBEHAVING = {
  "payout.created": once(async () => void process.kill(process.pid, "SIGKILL")),
  "payout.failed": once(async () => process.exit(0)),
  "payout.canceled": {
    ...once(async () => {
      for (;;) Math.random();
    }),
    timeoutSeconds: 1,
  },
  "payout.paid": once(async () => void Promise.reject(new TypeError("nobody waits for this"))),
  "payout.updated": once(async () => {
    for (;;) kept.push(new Array(10_000).fill(Math.random()));
  }),
  "charge.updated": once(async () => {
    for (;;) kept.push(Buffer.alloc(10_000_000, 1));
  }),
  "charge.failed": once(async () => {
    setTimeout(() => {
      throw new RangeError("thrown by a timer");
    });
    await new Promise(() => {});
  }),
  "charge.pending": once(async () => {
    process.send?.(null);
    process.disconnect();
  }),
} satisfies HandlerMap["stripe"];

/** With one that behaves, and one that blocks its process once it has said so in the table `installation`. */
export const misbehaving = defineHandlers({
  stripe: {
    ...MISBEHAVING,
    "invoice.paid": async () => {},
    async "invoice.voided"(_, { db }) {
      await db.insert(db.tables.installation).values({ key: "blocked", value: String(process.pid) });
      for (;;) Math.random();
    },
  },
});
