import type { AttemptOutcome, AttemptTrigger, EventState } from "@gatehouse/webhooks";
import { and, asc, eq, exists, gt, inArray, max, ne, not, notInArray, type SQL, sql } from "drizzle-orm";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";

/** An event, by its endpoint's slug and its key. */
export type EventRef = { endpoint: string; eventKey: Uint8Array };

/** One run of a handler, or one attempt to forward the event. */
export type AttemptRow = EventRef & {
  id: string;
  /** The delivery that brought the event first. */
  deliveryId: string;
  handler: string;
  trigger: AttemptTrigger;
  /** Unix seconds. */
  startedAt: number;
  ms: number;
  outcome: AttemptOutcome;
  /** Of forwarding: the status of the response. */
  status: number | null;
  error: string | null;
  stack: string | null;
  actor: string | null;
};

/** What an effect is marked for. */
export type EffectRef = EventRef & { handler: string; name: string };

/** A delivery with what its events are read from; undefined if it was deleted. */
export async function findStoredDelivery(db: ReadDb, id: string) {
  const { webhookDeliveries: d } = db.tables;
  const [row] = await db
    .select({
      endpoint: d.endpoint,
      environment: d.environment,
      source: d.source,
      receivedAt: d.receivedAt,
      method: d.method,
      outcome: d.outcome,
      eventId: d.eventId,
      eventType: d.eventType,
      eventKey: d.eventKey,
      mode: d.mode,
      headers: d.headers,
      body: d.body,
    })
    .from(d)
    .where(eq(d.id, id));
  return row;
}

/** The state of an event and the delivery that brought it first; undefined if it was deleted. */
export async function findEventState(db: ReadDb, { endpoint, eventKey }: EventRef) {
  const { webhookEvents: e } = db.tables;
  const [row] = await db
    .select({ state: e.state, deliveryId: e.deliveryId })
    .from(e)
    .where(and(eq(e.endpoint, endpoint), eq(e.key, Buffer.from(eventKey))));
  return row;
}

/** The keys among `keys` that the endpoint has events for. */
export async function listKnownEventKeys(
  db: ReadDb,
  { endpoint, keys }: { endpoint: string; keys: readonly Uint8Array[] },
): Promise<Uint8Array[]> {
  const { webhookEvents: e } = db.tables;
  if (keys.length === 0) return [];
  const given = keys.map((key) => Buffer.from(key));
  const rows = await db
    .select({ key: e.key })
    .from(e)
    .where(and(eq(e.endpoint, endpoint), inArray(e.key, given)));
  return rows.map(({ key }) => key);
}

const MOST_ATTEMPTS = 500;

/** How the handlers of an event ended so far, oldest first. */
export async function listEventAttempts(
  db: ReadDb,
  { deliveryId, endpoint, eventKey }: EventRef & { deliveryId: string },
) {
  const { webhookAttempts: a } = db.tables;
  return db
    .select({ handler: a.handler, outcome: a.outcome })
    .from(a)
    .where(and(eq(a.deliveryId, deliveryId), eq(a.endpoint, endpoint), eq(a.eventKey, Buffer.from(eventKey))))
    .orderBy(asc(a.id))
    .limit(MOST_ATTEMPTS);
}

/** The insert of an attempt, for {@link Db.guarded}. */
export function insertAttempt(db: Db, row: AttemptRow): WriteQuery {
  const { webhookAttempts } = db.tables;
  return db.insert(webhookAttempts).values({ ...row, eventKey: Buffer.from(row.eventKey) });
}

/**
 * Locks an event's row until the commit, so that what follows in the transaction sees the attempts of every transaction
 * that did the same before. For {@link Db.guarded}, before {@link setHandledIfComplete} and
 * {@link setStateUnlessSucceeded}.
 */
export function lockEvent(db: Db, ref: EventRef): WriteQuery {
  const { webhookEvents: e } = db.tables;
  return db
    .update(e)
    .set({ state: sql`${e.state}` })
    .where(isEvent(db, ref));
}

/** Sets an event's state, unless it has one of `except`. For {@link Db.guarded}. */
export function setEventState(
  db: Db,
  ref: EventRef,
  state: EventState,
  except: readonly EventState[] = [],
): WriteQuery {
  return changeState(db, ref, state, except);
}

/** Sets an event to `handled` if each of `handlers` has succeeded. For {@link Db.guarded}. */
export function setHandledIfComplete(db: Db, event: EventOfDelivery, handlers: readonly string[]): WriteQuery {
  const complete = handlers.map((handler) => exists(successOf(db, event, handler)));
  return changeState(db, event, "handled", [], and(...complete));
}

/**
 * Sets an event's state unless `handler` has succeeded, for example because a person ran it again. For
 * {@link Db.guarded}.
 */
export function setStateUnlessSucceeded(
  db: Db,
  event: EventOfDelivery & { handler: string },
  state: EventState,
  except: readonly EventState[] = [],
): WriteQuery {
  return changeState(db, event, state, except, not(exists(successOf(db, event, event.handler))));
}

/** Whether a handler of an event has succeeded. */
export async function hasHandlerSucceeded(db: ReadDb, event: EventOfDelivery, handler: string): Promise<boolean> {
  return (await successOf(db, event, handler)).length > 0;
}

/** An event, and the delivery that brought it first, at which its attempts are recorded. */
export type EventOfDelivery = EventRef & { deliveryId: string };

function successOf(db: ReadDb, { deliveryId, endpoint, eventKey }: EventOfDelivery, handler: string) {
  const { webhookAttempts: a } = db.tables;
  const ofEvent = and(eq(a.deliveryId, deliveryId), eq(a.endpoint, endpoint), eq(a.eventKey, Buffer.from(eventKey)));
  return db
    .select({ id: a.id })
    .from(a)
    .where(and(ofEvent, eq(a.handler, handler), eq(a.outcome, "ok")))
    .limit(1);
}

function changeState(
  db: Db,
  ref: EventRef,
  state: EventState,
  except: readonly EventState[],
  condition?: SQL,
): WriteQuery {
  const { webhookEvents: e } = db.tables;
  const allowed = except.length > 0 ? notInArray(e.state, [...except]) : undefined;
  return db
    .update(e)
    .set({ state })
    .where(and(isEvent(db, ref), ne(e.state, state), allowed, condition));
}

function isEvent({ tables: { webhookEvents: e } }: Db, { endpoint, eventKey }: EventRef): SQL | undefined {
  return and(eq(e.endpoint, endpoint), eq(e.key, Buffer.from(eventKey)));
}

/** Whether this effect was committed. */
export async function hasEffect(db: ReadDb, { endpoint, eventKey, handler, name }: EffectRef) {
  const { webhookEffects: f } = db.tables;
  const rows = await db
    .select({ name: f.name })
    .from(f)
    .where(
      and(eq(f.endpoint, endpoint), eq(f.eventKey, Buffer.from(eventKey)), eq(f.handler, handler), eq(f.name, name)),
    );
  return rows.length > 0;
}

/**
 * The mark of an effect, for {@link Db.guarded}. Fails, and with it the transaction, if the effect was committed
 * before.
 */
export function insertEffect(db: Db, row: EffectRef & { createdAt: number }): WriteQuery {
  const { webhookEffects } = db.tables;
  return db.insert(webhookEffects).values({ ...row, eventKey: Buffer.from(row.eventKey) });
}

/** When the latest webhook event was received; undefined if there is none. */
export async function latestEventAt(db: ReadDb): Promise<number | undefined> {
  const { webhookEvents: events } = db.tables;
  const [row] = await db.select({ at: max(events.receivedAt) }).from(events);
  return row?.at == null ? undefined : Number(row.at);
}

/** How many events were received after this time. */
export async function countEventsSince(db: ReadDb, instant: number): Promise<number> {
  const { webhookEvents: events } = db.tables;
  const [row] = await db
    .select({ count: sql<number | string>`count(*)` })
    .from(events)
    .where(gt(events.receivedAt, instant));
  return Number(row?.count ?? 0);
}
