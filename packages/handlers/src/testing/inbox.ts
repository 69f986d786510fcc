import { randomBytes } from "node:crypto";
import { type Environment, type Seal, sha256 } from "@gatehouse/auth";
import { createWebhookStore, type Handle, type MigrationSource, WEBHOOK_SECRET_PURPOSE } from "@gatehouse/db";
import type { TestEngine } from "@gatehouse/db/testing";
import { createWorker, type Queue, type Worker } from "@gatehouse/jobs";
import { receive } from "@gatehouse/webhooks";
import { stripeHeaders, UNREACHABLE_PROVIDERS } from "@gatehouse/webhooks/testing";
import { expect } from "vitest";
import type { SendRequest } from "../context.ts";
import type { Handlers } from "../define.ts";
import type { SpawnHandlers } from "../process/host.ts";
import { createProcessRunner } from "../process/runner.ts";
import { type ReconcileDeps, reconcileQueue } from "../reconcile/queue.ts";
import { rerunQueue } from "../rerun/queue.ts";
import { webhookQueues } from "../running/handle.ts";
import { jobsOfEvent } from "../running/jobs-of-event.ts";
import { runHandler } from "../running/run.ts";

import { BASE_URL, createTestSeal } from "./inbox-secrets.ts";

const SECRET = "whsec_handlers";

export type Inbox = Awaited<ReturnType<typeof openInbox>>;
export type InboxOptions = {
  handlers: Handlers;
  request?: SendRequest;
  apiKey?: string;
  settings?: Record<string, unknown>;
  environment?: Environment;
  migrations?: readonly MigrationSource[];
  /** Starts the process in which handlers run; by default they run here. Is given the database's URL. */
  spawn?: (databaseUrl: string) => ReturnType<SpawnHandlers>;
};

/** A receiver for Stripe on a fresh database, with a worker that runs when `settle` is called. */
export async function openInbox({ open }: TestEngine, options: InboxOptions) {
  const { handlers, request, apiKey, settings = {}, environment = "production", migrations = [], spawn } = options;
  const slug = environment === "production" ? "stripe" : `stripe-${environment}`; // the default endpoint is production's
  const database = await open(migrations.length > 0 ? { further: migrations } : {});
  const { handle, background, reads } = database;
  const random = (length: number) => randomBytes(length);
  const seal = createTestSeal();
  const now = () => Math.floor(Date.now() / 1000);
  const store = createWebhookStore(handle, seal, now);
  const logged: string[] = [];
  const note = (_: object, message: string) => void logged.push(message);
  const log = { info: note, warn: note, error: note };
  const counted: string[] = [];
  const running = { handle: background, now, log, request: request ?? (async () => Promise.reject(new Error("no request expected"))) };
  const processes = spawn && createProcessRunner(() => spawn(database.url), { log, answerWithinMs: 2_000 });
  const deps: ReconcileDeps & Parameters<typeof rerunQueue>[0] = {
    ...running,
    reads,
    store,
    handlers,
    random,
    baseUrl: BASE_URL,
    nowMs: () => performance.timeOrigin + performance.now(),
    runHandler: processes?.runHandler ?? ((handler, event, run) => runHandler(handler, event, run, running)),
  };
  await configure(handle, seal, { slug, settings, apiKey, environment, createdAt: now() - 3600 });

  const queues = withoutWaiting({
    ...webhookQueues(Object.assign(deps, { count: ({ key }: { key: string }) => void counted.push(key) })),
    rerun: rerunQueue(deps),
    reconcile: reconcileQueue(deps),
  });
  const jobs = () => handle.db.select().from(handle.tables.jobs);
  const openJobs = async () => (await jobs()).filter(({ deadAt }) => deadAt === null).length;
  const receiver = {
    store,
    baseUrl: deps.baseUrl,
    now,
    nowMs: deps.nowMs,
    random,
    outbound: UNREACHABLE_PROVIDERS,
    handlersFor: (event: Parameters<typeof jobsOfEvent>[1]) => jobsOfEvent(handlers, event),
  };

  return {
    database,
    handle,
    deps,
    logged,
    counted,

    /** Delivers a signed event of Stripe, and returns the id of the delivery. */
    async deliver(event: object): Promise<string> {
      const body = JSON.stringify(event);
      const headers = stripeHeaders(body, SECRET, now());
      const sent = new Request("https://gate.example/api/webhooks/stripe", { method: "POST", body, headers });
      const answer = await receive(sent, slug, receiver, { address: null });
      if (answer.status !== 200) throw new Error(await answer.text());
      return answer.headers.get("gatehouse-delivery-id") ?? "";
    },

    /** What the product defines from now on. */
    define(others: Handlers): void {
      deps.handlers = others;
    },

    startWorker(): Worker {
      const worker = createWorker({ handle: background, random, log, pollMs: 20 });
      worker.start(queues);
      return worker;
    },

    /** Works until no job is left but dead ones. */
    async settle(withinMs = 30_000): Promise<void> {
      const worker = this.startWorker();
      await expect.poll(openJobs, { timeout: withinMs, interval: 20 }).toBe(0);
      await worker.stop(0);
    },

    events: () => handle.db.select().from(handle.tables.webhookEvents),
    attempts: () => handle.db.select().from(handle.tables.webhookAttempts).orderBy(handle.tables.webhookAttempts.id),
    deliveries: () => handle.db.select().from(handle.tables.webhookDeliveries).orderBy(handle.tables.webhookDeliveries.id),
    jobs,
    async close() {
      await processes?.close();
      await database.close();
    },
  };
}

type Configured = {
  slug: string;
  settings: Record<string, unknown>;
  apiKey: string | undefined;
  environment: Environment;
  createdAt: number;
};

/** The endpoint of Stripe with a signing secret and, if given, an API key. */
async function configure(
  { db, tables: t }: Handle,
  seal: Pick<Seal, "seal">,
  { slug, settings, apiKey, environment, createdAt }: Configured,
): Promise<void> {
  await db.insert(t.webhookEndpoints).values({ slug, provider: "stripe", environment, settings, createdAt });
  const secrets = [
    { kind: "signing" as const, value: SECRET },
    ...(apiKey === undefined ? [] : [{ kind: "api_key" as const, value: apiKey }]),
  ];
  await db.insert(t.webhookSecrets).values(
    secrets.map(({ kind, value }) => ({
      id: kind,
      kind,
      endpoint: slug,
      hash: sha256(value),
      hint: "0000",
      createdAt,
      sealed: seal.seal(WEBHOOK_SECRET_PURPOSE, value),
    })),
  );
}

/** Retries at once. */
function withoutWaiting(queues: Record<string, Queue>): Record<string, Queue> {
  return Object.fromEntries(Object.entries(queues).map(([name, queue]) => [name, { ...queue, backoff: () => 0 }]));
}
