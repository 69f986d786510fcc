import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Database, openDatabase } from "@gatehouse/db";
import { startPostgresServer } from "@gatehouse/db/testing/postgres";
import { inArray } from "drizzle-orm";
import Stripe from "stripe";
import { describe, expect, inject, test } from "vitest";
import { fixture, WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { apply, ENGINES, startWeb } from "../harness/gatehouse.ts";
import { send } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";

/** GATEHOUSE_CRASH_KILLS=100 runs the long form. */
const KILLS = Number(process.env["GATEHOUSE_CRASH_KILLS"] ?? 2);
const SENDERS = 4;
const TIMEOUT = 180_000 + KILLS * 20_000;
const stripe = new Stripe("sk_test_never_used");

/** Sends a paid invoice of a subscription of its own, which the product's handler counts in a write that may happen once. */
function deliver(issuer: string, id: string) {
  const invoice = { id: `in_${id}`, object: "invoice", parent: { subscription_details: { subscription: `sub_${id}` } } };
  const event = { id: `evt_${id}`, object: "event", type: "invoice.paid", created: 1_790_000_000, data: { object: invoice } };
  const payload = JSON.stringify(event);
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRETS.stripe });
  const headers = { "content-type": "application/json", "stripe-signature": signature };
  return send(issuer, "/api/webhooks/stripe", { method: "POST", headers, body: payload });
}

/** Delivers events until `end`, and notes those that were acknowledged. */
function startSenders(issuer: string) {
  const acknowledged: string[] = [];
  let ended = false;
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let turn = 0; !ended; turn++) {
      const id = `${sender}_${turn}`;
      const answer = await deliver(issuer, id).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(id);
      await pause(answer === undefined ? 100 : randomInt(20));
    }
  });
  const end = async () => {
    ended = true;
    await Promise.all(senders);
  };
  return { acknowledged, end };
}

/** A serving process that the first process has started, if there are several. */
function someWorker({ child }: Running): number | undefined {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,pgid=,args="], { encoding: "utf8" }).trim().split("\n");
  const group = lines.map((line) => line.trim().split(/\s+/)).filter(([, , pgid]) => Number(pgid) === child.pid);
  const servers = group.filter(([pid, ppid]) => group.some(([parent]) => parent === ppid) && Number(pid) !== child.pid);
  const leaves = servers.filter(([pid]) => !group.some(([, ppid]) => ppid === pid));
  const chosen = leaves.length > 1 ? leaves[randomInt(leaves.length)]?.[0] : undefined;
  return chosen === undefined ? undefined : Number(chosen);
}

/** The number of payments that were counted, by subscription. */
async function paymentsOf({ engine }: Database): Promise<Map<string, number>> {
  const query = "select subscription_id, count from product_subscription_payments";
  const rows: { subscription_id: string; count: number }[] =
    engine.dialect === "sqlite"
      ? (engine.connection.prepare(query).all() as { subscription_id: string; count: number }[])
      : (await engine.pool.query(query)).rows;
  return new Map(rows.map(({ subscription_id, count }) => [subscription_id, Number(count)]));
}

async function unfinished({ handle: { db, tables } }: Database): Promise<unknown[]> {
  const events = await db
    .select({ state: tables.webhookEvents.state, deliveryId: tables.webhookEvents.deliveryId })
    .from(tables.webhookEvents)
    .where(inArray(tables.webhookEvents.state, ["pending", "failed", "dead"]));
  return [...events, ...(await db.select().from(tables.jobs))];
}

describe.each(ENGINES.flatMap((engine) => [1, 3].map((processes) => ({ engine, processes }))))(
  "a server on $engine with WEB_CONCURRENCY=$processes that is killed",
  ({ engine, processes }) => {
    test(
      "OP-23 every acknowledged event is handled, and each effect happens exactly once",
      async () => {
        const folder = await mkdtemp(join(tmpdir(), "gatehouse-crash-"));
        const postgres = engine === "postgres" ? await startPostgresServer() : undefined;
        const port = await freePort();
        const issuer = `http://localhost:${port}`;
        const DATABASE_URL = postgres ? `${postgres.url}/postgres` : `file:${join(folder, "gatehouse.db")}`;
        const more = { GATEHOUSE_DATA_DIR: folder, WEB_CONCURRENCY: String(processes), GATEHOUSE_JOB_LEASE_SECONDS: "5", DATABASE_URL };
        const env = { ...inject("env"), GATEHOUSE_ISSUER: issuer, ...more };
        await apply(fixture(), folder, env);
        let server = await startWeb(env, port);
        const database = await openDatabase(DATABASE_URL);
        const senders = startSenders(issuer);
        try {
          for (let kill = 0; kill < KILLS; kill++) {
            const before = senders.acknowledged.length;
            await expect.poll(() => senders.acknowledged.length - before, { timeout: 60_000 }).toBeGreaterThan(10);
            await pause(randomInt(300));
            // A server gives up when a process is killed before it has served, as it would fail again.
            await expect.poll(server.output, { timeout: 60_000 }).toContain('"listening"');
            const worker = kill % 2 === 1 ? someWorker(server) : undefined;
            if (worker !== undefined) process.kill(worker, "SIGKILL");
            else {
              await server.crash();
              server = await startWeb(env, port);
            }
          }
          await senders.end();
          await expect.poll(() => unfinished(database), { timeout: 60_000, interval: 200 }).toEqual([]);
          const payments = await paymentsOf(database);
          expect(senders.acknowledged.filter((id) => payments.get(`sub_${id}`) !== 1)).toEqual([]);
          expect([...payments].filter(([, count]) => count !== 1)).toEqual([]);
        } finally {
          await senders.end();
          await database.close();
          await server.stop();
          await postgres?.stop();
          await rm(folder, { recursive: true, force: true });
        }
      },
      TIMEOUT,
    );
  },
);
