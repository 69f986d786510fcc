import type { AttemptOutcome, AttemptTrigger, EventState } from "@gatehouse/webhooks";
import { and, asc, eq, inArray, ne, notInArray } from "drizzle-orm";
import type { Handle, ReadHandle, WriteQuery } from "../query/handle.ts";

/** An event, by its endpoint's slug and its key. */
export type EventRef = { endpoint: string; eventKey: Uint8Array };

/** One run of a handler. */
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
  error: string | null;
  stack: string | null;
  actor: string | null;
};

/** What an effect is marked for. */
export type EffectRef = EventRef & { handler: string; name: string };

/** A delivery with what its events are read from; undefined if it was deleted. */
export async function findStoredDelivery({ db, tables: { webhookDeliveries: d } }: ReadHandle, id: string) {
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
      headers: d.headers,
      body: d.body,
    })
    .from(d)
    .where(eq(d.id, id));
  return row;
}

/** The state of an event and the delivery that brought it first; undefined if it was deleted. */
export async function findEventState({ db, tables: { webhookEvents: e } }: ReadHandle, { endpoint, eventKey }: EventRef) {
  const [row] = await db
    .select({ state: e.state, deliveryId: e.deliveryId })
    .from(e)
    .where(and(eq(e.endpoint, endpoint), eq(e.key, Buffer.from(eventKey))));
  return row;
}

/** The keys among `keys` that the endpoint has events for. */
export async function listKnownEventKeys(
  { db, tables: { webhookEvents: e } }: ReadHandle,
  { endpoint, keys }: { endpoint: string; keys: readonly Uint8Array[] },
): Promise<Uint8Array[]> {
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
  { db, tables: { webhookAttempts: a } }: ReadHandle,
  { deliveryId, endpoint, eventKey }: EventRef & { deliveryId: string },
) {
  return db
    .select({ handler: a.handler, outcome: a.outcome })
    .from(a)
    .where(and(eq(a.deliveryId, deliveryId), eq(a.endpoint, endpoint), eq(a.eventKey, Buffer.from(eventKey))))
    .orderBy(asc(a.id))
    .limit(MOST_ATTEMPTS);
}

/** The insert of an attempt, for {@link Handle.guarded}. */
export function insertAttempt({ db, tables: { webhookAttempts } }: Handle, row: AttemptRow): WriteQuery {
  return db.insert(webhookAttempts).values({ ...row, eventKey: Buffer.from(row.eventKey) });
}

/** Sets an event's state, unless it has one of `except`. For {@link Handle.guarded}. */
export function setEventState(
  { db, tables: { webhookEvents: e } }: Handle,
  { endpoint, eventKey }: EventRef,
  state: EventState,
  except: readonly EventState[] = [],
): WriteQuery {
  return db
    .update(e)
    .set({ state })
    .where(
      and(
        eq(e.endpoint, endpoint),
        eq(e.key, Buffer.from(eventKey)),
        ne(e.state, state),
        except.length > 0 ? notInArray(e.state, [...except]) : undefined,
      ),
    );
}

/** Whether this effect was committed. */
export async function hasEffect({ db, tables: { webhookEffects: f } }: ReadHandle, { endpoint, eventKey, handler, name }: EffectRef) {
  const rows = await db
    .select({ name: f.name })
    .from(f)
    .where(and(eq(f.endpoint, endpoint), eq(f.eventKey, Buffer.from(eventKey)), eq(f.handler, handler), eq(f.name, name)));
  return rows.length > 0;
}

/** The mark of an effect, for {@link Handle.guarded}. Fails, and with it the transaction, if the effect was committed before. */
export function insertEffect({ db, tables: { webhookEffects } }: Handle, row: EffectRef & { createdAt: number }): WriteQuery {
  return db.insert(webhookEffects).values({ ...row, eventKey: Buffer.from(row.eventKey) });
}
