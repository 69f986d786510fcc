import { randomBytes } from "node:crypto";
import { createOutbound, type Environment, type PostBytes, type Seal, sha256 } from "@gatehouse/auth";
import type { MigrationSource } from "@gatehouse/db/migrations/read";
import type { Db, ReadDb } from "@gatehouse/db/query/db";
import { createWebhookStore, WEBHOOK_SECRET_PURPOSE } from "@gatehouse/db/stores/webhooks/store";
import type { TestEngine } from "@gatehouse/db/testing/engines";
import { type Forward, receive } from "@gatehouse/webhooks";
import { stripeHeaders, UNREACHABLE_PROVIDERS } from "@gatehouse/webhooks/testing";
import { expect } from "vitest";
import type { Queue } from "../../jobs/queue.ts";
import { createWorker, type Worker } from "../../jobs/worker.ts";
import type { SendRequest } from "../context.ts";
import type { Handlers } from "../define.ts";
import type { SpawnHandlers } from "../process/host.ts";
import { createProcessRunner } from "../process/runner.ts";
import { type ReconcileDeps, reconcileQueue } from "../reconcile/queue.ts";
import { rerunQueue } from "../rerun/queue.ts";
import type { ListMatching } from "../rerun/selection.ts";
import { webhookQueues } from "../running/handle.ts";
import { jobsOfEvent } from "../running/jobs-of-event.ts";
import { runHandler } from "../running/run.ts";

import { BASE_URL, createTestSeal } from "./inbox-secrets.ts";

const SECRET = "whsec_handlers";
/** What forwarded events are signed with. */
export const FORWARDING_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

export type Inbox = Awaited<ReturnType<typeof openInbox>>;
export type InboxOptions = {
  handlers: Handlers;
  request?: SendRequest;
  apiKey?: string;
  settings?: Record<string, unknown>;
  environment?: Environment;
  migrations?: readonly MigrationSource[];
  /** What a rerun by a filter finds; by default there is none. */
  listMatching?: (reads: ReadDb) => ListMatching;
  /** Where events are forwarded; by default nowhere. */
  forward?: Forward;
  /** Sends forwarded events; by default to loopback alone. */
  postBytes?: PostBytes;
  /** Starts the process in which handlers run; by default they run here. Is given the database's URL. */
  spawn?: (databaseUrl: string) => ReturnType<SpawnHandlers>;
};

/** A receiver for Stripe on a fresh database, with a worker that runs when `settle` is called. */
export async function openInbox({ open }: TestEngine, options: InboxOptions) {
  const {
    handlers,
    request,
    apiKey,
    settings = {},
    environment = "production",
    migrations = [],
    forward,
    postBytes = createOutbound({ allowLoopback: true }).postBytes,
    spawn,
    listMatching,
  } = options;
  const slug = environment === "production" ? "stripe" : `stripe-${environment}`; // the default endpoint is production's
  const database = await open(migrations.length > 0 ? { further: migrations } : {});
  const { db, background, reads } = database;
  const random = (length: number) => randomBytes(length);
  const seal = createTestSeal();
  const now = () => Math.floor(Date.now() / 1000);
  const store = createWebhookStore(db, seal, now);
  const logged: string[] = [];
  const note = (_: object, message: string) => void logged.push(message);
  const log = { info: note, warn: note, error: note };
  const counted: string[] = [];
  const running = {
    db: background,
    now,
    log,
    request: request ?? (async () => Promise.reject(new Error("no request expected"))),
  };
  const processes = spawn && createProcessRunner(() => spawn(database.url), { log, answerWithinMs: 2_000 });
  const deps: ReconcileDeps & Parameters<typeof rerunQueue>[0] = {
    ...running,
    store,
    handlers,
    postBytes,
    random,
    baseUrl: BASE_URL,
    listMatching: listMatching?.(reads) ?? (async () => Promise.reject(new Error("no rerun by a filter expected"))),
    nowMs: () => performance.timeOrigin + performance.now(),
    runHandler: processes?.runHandler ?? ((handler, event, run) => runHandler(handler, event, run, running)),
  };
  await configure(db, seal, { slug, settings, apiKey, environment, forward, createdAt: now() - 3600 });

  const queues = withoutWaiting({
    ...webhookQueues(Object.assign(deps, { count: ({ key }: { key: string }) => void counted.push(key) })),
    rerun: rerunQueue(deps),
    reconcile: reconcileQueue(deps),
  });
  const jobs = () => db.select().from(db.tables.jobs);
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
    db,
    deps,
    logged,
    counted,

    /** Delivers a signed event of Stripe, and returns the id of the delivery. */
    deliver(event: object, secret = SECRET): Promise<string> {
      return this.deliverText(JSON.stringify(event), secret);
    },

    /** The same with a body as it is. */
    async deliverText(body: string, secret = SECRET): Promise<string> {
      const headers = stripeHeaders(body, secret, now());
      const sent = new Request("https://gate.example/api/webhooks/stripe", { method: "POST", body, headers });
      const answer = await receive(sent, slug, receiver, { address: null });
      if (answer.status !== 200) throw new Error(await answer.text());
      return answer.headers.get("gatehouse-delivery-id") ?? "";
    },

    /** What the product defines from now on. */
    define(others: Handlers): void {
      deps.handlers = others;
    },

    /** Lets the endpoint forward from now on. */
    async forwardTo(url: string): Promise<void> {
      await db.update(db.tables.webhookEndpoints).set({ forward: { url, events: null } });
      await this.addForwardingSecret(FORWARDING_SECRET);
    },

    addForwardingSecret: (value: string) =>
      db.insert(db.tables.webhookSecrets).values({
        id: "newer",
        kind: "forwarding",
        endpoint: slug,
        hash: sha256(value),
        hint: "0000",
        createdAt: now(),
        sealed: seal.seal(WEBHOOK_SECRET_PURPOSE, value),
      }),

    /** Works as after a crash between the record of every job's success and the deletion of the job. */
    async settleAfterCrash(): Promise<void> {
      for (const { id, payload } of await jobs()) {
        const { endpoint, deliveryId, eventKey, handler } = payload as Record<string, string>;
        const ref = {
          endpoint: endpoint ?? "",
          deliveryId: deliveryId ?? "",
          eventKey: Buffer.from(eventKey ?? "", "base64url"),
        };
        const ended = { outcome: "ok", status: 200, error: null, stack: null, actor: null } as const;
        const run = {
          id,
          ...ref,
          handler: handler ?? "",
          trigger: "initial",
          startedAt: now(),
          ms: 1,
          ...ended,
        } as const;
        await db.insert(db.tables.webhookAttempts).values(run);
      }
      await db.update(db.tables.jobs).set({ attempts: 1 });
      await this.settle();
    },

    startWorker(): Worker {
      const worker = createWorker({ db: background, random, log, pollMs: 20 });
      worker.start(queues);
      return worker;
    },

    /** Works until no job is left but dead ones. */
    async settle(withinMs = 30_000): Promise<void> {
      const worker = this.startWorker();
      await expect.poll(openJobs, { timeout: withinMs, interval: 20 }).toBe(0);
      await worker.stop(0);
    },

    events: () => db.select().from(db.tables.webhookEvents),
    attempts: () => db.select().from(db.tables.webhookAttempts).orderBy(db.tables.webhookAttempts.id),
    deliveries: () => db.select().from(db.tables.webhookDeliveries).orderBy(db.tables.webhookDeliveries.id),
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
  forward: Forward | undefined;
  createdAt: number;
};

/** The endpoint of Stripe with a signing secret and, if given, an API key. */
async function configure(
  db: Db,
  seal: Pick<Seal, "seal">,
  { slug, settings, apiKey, environment, forward, createdAt }: Configured,
): Promise<void> {
  const { tables: t } = db;
  await db
    .insert(t.webhookEndpoints)
    .values({ slug, provider: "stripe", environment, settings, forward: forward ?? null, createdAt });
  const secrets = [
    { kind: "signing" as const, value: SECRET },
    ...(apiKey === undefined ? [] : [{ kind: "api_key" as const, value: apiKey }]),
    ...(forward ? [{ kind: "forwarding" as const, value: FORWARDING_SECRET }] : []),
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
