import { deliveryIdsFrom } from "@gatehouse/webhooks";
import { and, asc, eq, gt, gte, inArray, isNotNull, lt, lte, notExists, type SQL, sql } from "drizzle-orm";
import { deleteFact, insertFact, readFact, writeFact } from "../../facts.ts";
import { readPartitions } from "../../partitions/catalog.ts";
import { sweptPartitions } from "../../partitions/due.ts";
import type { Db } from "../../query/db.ts";
import { KEPT_DAYS } from "../../retention.ts";
import type { Deleted } from "../../sweep/delete-dead.ts";
import { type Pace, UNPACED } from "../../sweep/pace.ts";
import { unhandledEvents } from "./delivery-body.ts";
import { EVICTED_SINCE } from "./eviction.ts";

const HOUR = 3_600;
const DAY = 86_400;
const BATCH = 500;
/** Of bodies, and of rows, in one turn. */
const MAX_BATCHES = 200;
/** How many batches of keys are examined in one turn; the next one continues. */
const MAX_KEY_BATCHES = 2_000;

/** What a delivery takes without its body: its row, index entries and event. */
const ROW_BYTES = 1_000;

/** Where a run stopped, so that the next one continues there. */
export const BODIES_DELETED_TO = "deliveries_bodies_deleted_to";
const EVENTS_SWEPT_TO = "webhook_events_swept_to";
const EFFECTS_SWEPT_TO = "webhook_effects_swept_to";

export type InboxLimits = {
  /** For how many days the bodies of deliveries are kept. */
  bodyDays: number;
  /** About how many bytes the inbox may take. */
  maxBytes: number;
};

/**
 * `full`: without any body the inbox still takes more than it may, so rejected deliveries should go too. `finished`:
 * no body or delivery is due any more.
 */
export type SweptInbox = { bodies: number; deliveries: number; events: number; full: boolean; finished: boolean };

/**
 * Deletes what the inbox no longer needs, in small statements: bodies after some days, or earlier if the inbox is too
 * large; whole rows and the keys of events once no provider repeats them. The body of an event that is not handled yet
 * is kept. Safe at any time. OP-36.
 */
export async function sweepInbox(
  db: Db,
  now: number,
  { bodyDays, maxBytes }: InboxLimits,
  pace: Pace = UNPACED,
): Promise<SweptInbox> {
  const byAge = now - bodyDays * DAY;
  const bySize = await evictBodiesBefore(db, now, maxBytes);
  if (bySize > byAge) await insertFact(db, EVICTED_SINCE, String(now));
  else await deleteFact(db, EVICTED_SINCE);

  const oldest = now - KEPT_DAYS * DAY;
  const { webhookEvents, webhookEffects } = db.tables;
  const bodies = await deleteBodies(db, Math.max(byAge, bySize), pace);
  const deliveries = await deleteOldRows(db, now, oldest, pace);
  const handled = (e: typeof webhookEvents) =>
    and(lt(e.receivedAt, oldest), sql`${e.state} not in ('pending', 'failed')`);
  const events = await sweepKeys(
    db,
    EVENTS_SWEPT_TO,
    { table: webhookEvents, key: webhookEvents.key, isOld: handled },
    pace,
  );
  const isOld = (e: typeof webhookEffects) => lt(e.createdAt, oldest);
  await sweepKeys(db, EFFECTS_SWEPT_TO, { table: webhookEffects, key: webhookEffects.eventKey, isOld }, pace);
  return {
    bodies: bodies.rows,
    deliveries: deliveries.rows,
    events,
    full: bySize === now - HOUR,
    finished: bodies.finished && deliveries.finished,
  };
}

/**
 * The instant before which bodies must go for the inbox to fit, from what was stored each day; 0 if it fits. The last
 * hour is always kept.
 */
async function evictBodiesBefore(db: Db, now: number, maxBytes: number): Promise<number> {
  const { statDay } = db.tables;
  const rows = await db
    .select({ at: statDay.at, key: statDay.key, count: statDay.count })
    .from(statDay)
    .where(
      and(
        gte(statDay.at, now - (KEPT_DAYS + 1) * DAY),
        eq(statDay.environment, ""),
        eq(statDay.metric, "webhook_stored"),
      ),
    );
  const ofKey = (key: string) => rows.filter((row) => row.key === key).sort((one, other) => other.at - one.at);
  let left = maxBytes - ROW_BYTES * ofKey("rows").reduce((sum, { count }) => sum + count, 0);
  if (left <= 0) return now - HOUR;
  for (const { at, count } of ofKey("bytes")) {
    if (count > left) return Math.min(now - HOUR, instantWithin(at, now, left / count));
    left -= count;
  }
  return 0;
}

/** The instant after which this share of the day's bytes came, if they came evenly. */
function instantWithin(day: number, now: number, share: number): number {
  const end = Math.min(day + DAY, now);
  return Math.ceil(end - share * (end - day));
}

async function deleteBodies(db: Db, before: number, pace: Pace): Promise<Deleted> {
  const { webhookDeliveries: d } = db.tables;
  const end = deliveryIdsFrom(before);
  const start = (await readFact(db, BODIES_DELETED_TO)) ?? "";
  const unhandled = unhandledEvents(db, d.id);
  let [cursor, rows, finished] = [start, 0, false];
  for (let batch = 0; batch < MAX_BATCHES && !pace.stopped; batch++) {
    const last = await lastOf(db, cursor, end);
    finished = last === undefined;
    if (last === undefined) break;
    const range = and(gt(d.id, cursor), lte(d.id, last), isNotNull(d.body), notExists(unhandled));
    const emptied = await pace.run(() => db.update(d).set({ body: null }).where(range).returning({ id: d.id }));
    rows += emptied.length;
    cursor = last;
  }
  if (cursor !== start) await writeFact(db, BODIES_DELETED_TO, cursor);
  return { rows, finished };
}

/** The id that ends the next batch of deliveries between two ids. */
async function lastOf(db: Db, after: string, end: string): Promise<string | undefined> {
  const { webhookDeliveries: d } = db.tables;
  const rows = await db
    .select({ id: d.id })
    .from(d)
    .where(and(gt(d.id, after), lt(d.id, end)))
    .orderBy(asc(d.id))
    .limit(BATCH);
  return rows.at(-1)?.id;
}

/**
 * Deliveries before that instant, and the attempts for them. Deliveries of a partition are dropped with it, and leave
 * their attempts behind.
 */
async function deleteOldRows(db: Db, now: number, before: number, pace: Pace): Promise<Deleted> {
  const { webhookDeliveries: d, webhookAttempts: a } = db.tables;
  const end = deliveryIdsFrom(before);
  const partitions = sweptPartitions(await readPartitions(db, db), now).webhook_deliveries;
  if (partitions) await deleteAttempts(db, end, pace);
  const below = partitions?.below !== undefined && partitions.below < end ? partitions.below : end;
  let [rows, finished] = [0, false];
  for (let batch = 0; batch < MAX_BATCHES && !pace.stopped; batch++) {
    const last = await lastOf(db, "", below);
    finished = last === undefined;
    if (last === undefined) break;
    await pace.run(() => db.delete(a).where(lte(a.deliveryId, last)));
    rows += (await pace.run(() => db.delete(d).where(lte(d.id, last)).returning({ id: d.id }))).length;
  }
  return { rows, finished };
}

async function deleteAttempts(db: Db, end: string, pace: Pace): Promise<void> {
  const { webhookAttempts: a } = db.tables;
  for (let batch = 0; batch < MAX_BATCHES && !pace.stopped; batch++) {
    const due = await db
      .select({ id: a.id })
      .from(a)
      .where(lt(a.deliveryId, end))
      .orderBy(asc(a.deliveryId), asc(a.id))
      .limit(BATCH);
    if (due.length === 0) return;
    const ids = due.map(({ id }) => id);
    await pace.run(() => db.delete(a).where(inArray(a.id, ids)));
  }
}

type Keyed<Table extends Db["tables"]["webhookEvents"] | Db["tables"]["webhookEffects"]> = {
  table: Table;
  key: Db["tables"]["webhookEvents"]["key"] | Db["tables"]["webhookEffects"]["eventKey"];
  isOld: (table: Table) => SQL | undefined;
};

/**
 * Events and effects are in no order of time, so each turn examines the next part of the table and deletes what is old
 * in it.
 */
async function sweepKeys<Table extends Db["tables"]["webhookEvents"] | Db["tables"]["webhookEffects"]>(
  db: Db,
  fact: string,
  { table, key, isOld }: Keyed<Table>,
  pace: Pace,
): Promise<number> {
  const { endpoint } = table;
  const compare = (sign: "<=" | ">", [slug, bytes]: [string, Buffer]) =>
    sql`(${endpoint}, ${key}) ${sql.raw(sign)} (${slug}, ${bytes})`;
  let cursor = readPosition(await readFact(db, fact));
  let deleted = 0;
  for (let batch = 0; batch < MAX_KEY_BATCHES && !pace.stopped; batch++) {
    const next = await db
      .select({ endpoint, key })
      .from(table as Db["tables"]["webhookEvents"])
      .where(cursor && compare(">", cursor))
      .orderBy(asc(endpoint), asc(key))
      .limit(BATCH);
    const last = next.at(-1);
    if (last) {
      const range = and(cursor && compare(">", cursor), compare("<=", [last.endpoint, last.key]));
      const old = db
        .delete(table)
        .where(and(range, isOld(table)))
        .returning({ key });
      deleted += (await pace.run(() => old)).length;
    }
    cursor = last && next.length === BATCH ? [last.endpoint, last.key] : undefined;
    if (!cursor) break;
  }
  if (cursor) await writeFact(db, fact, `${cursor[0]}/${cursor[1].toString("hex")}`);
  else await deleteFact(db, fact);
  return deleted;
}

function readPosition(fact: string | undefined): [string, Buffer] | undefined {
  const [slug, hex] = fact?.split("/") ?? [];
  return slug === undefined || hex === undefined ? undefined : [slug, Buffer.from(hex, "hex")];
}
