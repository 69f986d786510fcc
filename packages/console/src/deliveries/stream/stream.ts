import { ENVIRONMENTS, type Environment } from "@gatehouse/auth";
import type { ReadDb } from "@gatehouse/db/query/db";
import {
  type DeliveryOutcome,
  type DeliveryReason,
  deliveryIdsFrom,
  deliveryTime,
  messageIdOf,
} from "@gatehouse/webhooks";
import { auditWrite } from "../../audit/entry.ts";
import type { OperationDeps } from "../../deps.ts";
import { type Author, freshForSeconds, mayManage } from "../../permissions.ts";
import { findDeliveries, findDeliveryBody, listDeliveriesAfter } from "./queries.ts";

/**
 * One delivery as a reader of the stream sees it. `body` is base64; null if the reader may not see it or it was
 * deleted.
 */
export type StreamedDelivery = {
  id: string;
  endpoint: string;
  provider: string;
  environment: Environment;
  outcome: DeliveryOutcome;
  reason: DeliveryReason;
  /** Unix seconds. */
  receivedAt: number;
  eventType: string | null;
  eventId: string | null;
  /** The `webhook-id` of the event where it is forwarded; null if there is no event. */
  messageId: string | null;
  contentType: string | null;
  body: string | null;
};

export type StreamReader = {
  userId: string;
  filter: { provider?: string | undefined; endpoint?: string | undefined };
  /** The environments whose bodies this reader gets. */
  revealed: readonly Environment[];
  /**
   * The last delivery that this reader got. The stream then begins a little before it, so the reader may get some
   * twice.
   */
  lastId?: string | undefined;
};

export type DeliveryStream = {
  /**
   * Every delivery from now on, in about the order of arrival. Ends when the reader is too slow, after `close`, and at
   * shutdown.
   */
  deliveries: AsyncGenerator<StreamedDelivery>;
  close(): void;
};

export type DeliveryStreams = {
  /** Opens a stream; undefined if there are too many readers. Rejects if the database is unavailable. */
  open(reader: StreamReader): Promise<DeliveryStream | undefined>;
  /** Ends all streams. */
  close(): void;
};

/**
 * The environments whose bodies a user with the scope `webhooks:reveal` gets from a stream: those that the role
 * manages, production only after a fresh sign-in. `stale` are those that wait for one. CO-56, CO-88.
 */
export function bodiesFor(
  { role, freshSince }: Pick<Author, "role" | "freshSince">,
  now: number,
): { revealed: Environment[]; stale: Environment[] } {
  const managed = ENVIRONMENTS.filter((environment) => mayManage({ role }, environment));
  const needsFresh = (environment: Environment) =>
    environment === "production" && freshForSeconds(freshSince, now) === 0;
  return { revealed: managed.filter((one) => !needsFresh(one)), stale: managed.filter(needsFresh) };
}

/** Writes the audit row of a stream that shows payloads: from which filter, which environments and since when. */
export async function recordTail(
  author: Author,
  { filter: { provider, endpoint }, revealed, lastId }: Pick<StreamReader, "filter" | "revealed" | "lastId">,
  deps: Pick<OperationDeps, "db" | "now" | "random">,
): Promise<void> {
  const from = lastId === undefined ? deps.now() : deliveryTime(lastId) - WINDOW_SECONDS;
  const object = endpoint ?? provider ?? "*";
  const [only, ...others] = revealed;
  const environment = only !== undefined && others.length === 0 ? only : null;
  const detail = { provider, endpoint, environments: revealed, from };
  const what = {
    action: "webhook.tail" as const,
    object,
    objectName: object === "*" ? "All webhooks" : object,
    environment,
    detail,
  };
  await deps.db.transaction([auditWrite(author, what, deps)]);
}

/**
 * An id carries the time at which its request began, and the row appears when its body has arrived and was verified.
 * Rows can therefore appear up to this much behind newer ones.
 */
const WINDOW_SECONDS = 20;
const POLL_MS = 1000;
const MAX_WINDOW_ROWS = 20_000;
const PAGE = 200;
/** What a reader gets after a reconnection; older deliveries are in the console. */
const MAX_MISSED = 10_000;
/**
 * After a reconnection, bodies of production are revealed this far back. Older ones are in the console, where each look
 * leaves a row.
 */
const PRODUCTION_BODY_SECONDS = 300;
/** A reader with more deliveries waiting is too slow. It reconnects and resumes. */
const MAX_WAITING = 2_000;
const MAX_READERS = 64;
const MAX_READERS_PER_USER = 4;

type Subscription = { reader: StreamReader; waiting: string[]; wake: () => void; ended: boolean };

/** The live streams of one process. All of them share one query a second, and none while nobody reads. OP-20. */
export function createDeliveryStreams({
  reads,
  now,
  onError,
}: {
  reads: ReadDb;
  now: () => number;
  onError: (error: unknown) => void;
}): DeliveryStreams {
  const subscriptions = new Set<Subscription>();
  /** The ids in the window that were passed on. */
  let known: Set<string> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function poll(): Promise<void> {
    const rows = await listDeliveriesAfter(reads, deliveryIdsFrom(now() - WINDOW_SECONDS), MAX_WINDOW_ROWS);
    const fresh = known === undefined ? [] : rows.filter(({ id }) => !known?.has(id));
    known = new Set(rows.map(({ id }) => id));
    for (const subscription of subscriptions) {
      const { reader, waiting } = subscription;
      const wanted = fresh.filter(
        ({ endpoint }) => reader.filter.endpoint === undefined || reader.filter.endpoint === endpoint,
      );
      waiting.push(...wanted.map(({ id }) => id));
      if (waiting.length > MAX_WAITING) end(subscription);
      else subscription.wake();
    }
  }

  function schedule(): void {
    timer = setTimeout(async () => {
      await poll().catch(onError);
      if (subscriptions.size > 0) schedule();
      else timer = known = undefined;
    }, POLL_MS);
    timer.unref();
  }

  async function* stream(subscription: Subscription): AsyncGenerator<StreamedDelivery> {
    const { reader, waiting } = subscription;
    try {
      if (reader.lastId !== undefined) yield* missed(reader, reader.lastId);
      while (!subscription.ended) {
        const ids = waiting.splice(0, PAGE);
        if (ids.length > 0) yield* read(reader, ids);
        else
          await new Promise<void>((resolve) => {
            subscription.wake = resolve;
          });
      }
    } finally {
      end(subscription);
    }
  }

  function end(subscription: Subscription): void {
    subscription.ended = true;
    subscriptions.delete(subscription);
    subscription.wake();
  }

  async function* missed(reader: StreamReader, lastId: string): AsyncGenerator<StreamedDelivery> {
    let after = deliveryIdsFrom(deliveryTime(lastId) - WINDOW_SECONDS);
    for (let sent = 0; sent < MAX_MISSED; sent += PAGE) {
      const rows = await listDeliveriesAfter(reads, after, PAGE);
      yield* read(
        reader,
        rows.map(({ id }) => id),
      );
      const last = rows.at(-1);
      if (rows.length < PAGE || !last) return;
      after = last.id;
    }
  }

  const isRevealed = ({ revealed }: StreamReader, environment: Environment, receivedAt: number) =>
    revealed.includes(environment) && (environment !== "production" || receivedAt >= now() - PRODUCTION_BODY_SECONDS);

  async function* read(reader: StreamReader, ids: readonly string[]): AsyncGenerator<StreamedDelivery> {
    for (const { headers, eventKey, ...row } of await findDeliveries(reads, ids)) {
      const provider = row.provider ?? row.endpoint;
      const { filter } = reader;
      if (filter.provider !== undefined && filter.provider !== provider) continue;
      if (filter.endpoint !== undefined && filter.endpoint !== row.endpoint) continue;
      const body = isRevealed(reader, row.environment, row.receivedAt) ? await findDeliveryBody(reads, row.id) : null;
      yield {
        ...row,
        provider,
        messageId: eventKey && messageIdOf(row.endpoint, eventKey),
        contentType: headers["content-type"] ?? null,
        body: body && Buffer.from(body).toString("base64"),
      };
    }
  }

  return {
    async open(reader) {
      const ofUser = [...subscriptions].filter((one) => one.reader.userId === reader.userId);
      if (subscriptions.size >= MAX_READERS || ofUser.length >= MAX_READERS_PER_USER) return undefined;
      const subscription: Subscription = { reader, waiting: [], wake: () => {}, ended: false };
      subscriptions.add(subscription);
      if (timer === undefined) {
        schedule();
        await poll();
      }
      return { deliveries: stream(subscription), close: () => end(subscription) };
    },
    close() {
      clearTimeout(timer);
      for (const subscription of subscriptions) end(subscription);
    },
  };
}
