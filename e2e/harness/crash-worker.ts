// A process that runs the jobs of the queue "crash" and a scheduled task that never ends, for tests that kill it:
// node --import tsx crash-worker.ts <database URL> <lease seconds>

import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "@gatehouse/db/database";
import { createSchedule, createWorker, type Queue } from "@gatehouse/work/jobs";
import { sql } from "drizzle-orm";

const [url = "", leaseSeconds] = process.argv.slice(2);
const { db, background } = await openDatabase(url);
const { tables } = db;
const { webhookEffects, statHour } = tables;
const log = { warn: () => {}, error: (fields: object, message: string) => console.error(message, fields) };

/** Counts the job's runs that took effect, in the same transaction as the mark that it did. */
const crash: Queue = {
  async run({ id }, { fence }) {
    await pause(randomInt(20));
    const mark = { endpoint: "crash", eventKey: Buffer.from(id), handler: "count", name: "count", createdAt: 0 };
    const seen = { at: 0, environment: "", metric: "crash", key: id, count: 1 };
    await db
      .guarded(fence(), [
        db.insert(webhookEffects).values(mark),
        db
          .upsert(statHour)
          .values(seen)
          .onConflictDoUpdate({
            target: [statHour.at, statHour.environment, statHour.metric, statHour.key],
            set: { count: sql`${statHour.count} + 1` },
          }),
      ])
      .catch((error: unknown) => {
        // A unique violation means that it was done before.
        if (!/unique/i.test(String(error instanceof Error ? (error.cause ?? error) : error))) throw error;
      });
    await pause(randomInt(20));
  },
  concurrency: 4,
  timeoutSeconds: 30,
  maxAttempts: 1000,
  backoff: () => 0,
};

const worker = createWorker({
  db: background,
  random: (length) => randomBytes(length),
  log,
  leaseSeconds: Number(leaseSeconds),
});
worker.start({ crash });

const schedule = createSchedule({
  db: background,
  log,
  holder: String(process.pid),
  leaseSeconds: Number(leaseSeconds),
});
schedule.every(600, "crash", async () => {
  await db.insert(tables.installation).values({ key: `begun by ${process.pid}`, value: "" });
  await new Promise(() => {});
});
setInterval(() => {}, 60_000); // as a server's sockets do, keeps the process running
process.stdout.write("ready\n");
