import { and, asc, desc, eq, exists, gt, inArray, isNull, lte, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Db, ReadDb, Tables, WriteQuery } from "../../query/db.ts";
import type { PreviewFrame } from "../../schema/preview-frame.ts";

/**
 * One more redirect URI of a development or staging client, for a preview deployment. Everything issued through it ends
 * with it: grants are revoked when it is ended, and no token outlives it. CO-28, CO-30.
 */
export type PreviewSlot = {
  id: string;
  clientId: string;
  /** What CI calls it, such as `pr-123`. */
  key: string;
  redirectUri: string;
  /** Unix seconds. */
  endsAt: number;
};

/** A slot with who made it. */
export type PreviewSlotRow = PreviewSlot & { makerId: string; makerName: string; createdAt: number; renewedAt: number };

/** The maximum number of ended slots kept per client. */
const MOST_ENDED = 100;

const slotColumns = ({ previewSlots: s }: Tables) => ({
  id: s.id,
  clientId: s.clientId,
  key: s.key,
  redirectUri: s.redirectUri,
  endsAt: s.endsAt,
});

/** The slot of this client with this redirect URI that ends, or ended, last. CO-28. */
export async function findPreviewSlot(
  db: ReadDb,
  clientId: string,
  redirectUri: string,
): Promise<PreviewSlot | undefined> {
  const { tables } = db;
  const { previewSlots: s } = tables;
  const [slot] = await db
    .select(slotColumns(tables))
    .from(s)
    .where(and(eq(s.clientId, clientId), eq(s.redirectUri, redirectUri)))
    .orderBy(desc(s.endsAt))
    .limit(1);
  return slot;
}

/** The slot with this id, ended or not. */
export async function findPreviewSlotById(db: ReadDb, id: string): Promise<PreviewSlot | undefined> {
  const { tables } = db;
  const [slot] = await db.select(slotColumns(tables)).from(tables.previewSlots).where(eq(tables.previewSlots.id, id));
  return slot;
}

/** Records that a grant was made through a slot, so that it is revoked when the slot is ended. CO-30. */
export async function bindGrantToSlot(db: Db, grantId: string, slotId: string): Promise<void> {
  const { previewGrants } = db.tables;
  await db.insert(previewGrants).values({ slotId, grantId });
}

/** The live slots of a client, the next to end first. */
export function listLiveSlots(
  db: ReadDb,
  clientId: string,
  { now, limit }: { now: number; limit: number },
): Promise<PreviewSlotRow[]> {
  const { previewSlots: s } = db.tables;
  return db
    .select()
    .from(s)
    .where(and(eq(s.clientId, clientId), gt(s.endsAt, now)))
    .orderBy(asc(s.endsAt), asc(s.id))
    .limit(limit);
}

/** The slots of a client that ended last, the newest end first. */
export function listEndedSlots(
  db: ReadDb,
  clientId: string,
  { now, limit }: { now: number; limit: number },
): Promise<PreviewSlotRow[]> {
  const { previewSlots: s } = db.tables;
  return db
    .select()
    .from(s)
    .where(and(eq(s.clientId, clientId), lte(s.endsAt, now)))
    .orderBy(desc(s.endsAt), desc(s.id))
    .limit(limit);
}

export async function findPreviewFrame(db: ReadDb, clientId: string): Promise<PreviewFrame | null> {
  const { clients } = db.tables;
  const [row] = await db.select({ frame: clients.previewFrame }).from(clients).where(eq(clients.id, clientId));
  return row?.frame ?? null;
}

/**
 * Changes nothing, but waits for a transaction that changes the client or its slots: each of those begins with this or
 * such a write.
 */
const clientLock = (db: Db, clientId: string): WriteQuery => {
  const { clients } = db.tables;
  return db.update(clients).set({ id: clientId }).where(eq(clients.id, clientId));
};

/**
 * `clientVersion`: of the client whose frame the slot was checked against. A slot must not outlive a change of its
 * frame.
 */
type CheckedAgainst = { now: number; clientVersion: number };

/**
 * Moves the end of a live slot, and makes `also` in the same transaction. False if it is not live, or if its client is
 * not at this version any more.
 */
export function renewPreviewSlot(
  db: Db,
  { id, clientId, endsAt }: Pick<PreviewSlotRow, "id" | "clientId" | "endsAt">,
  { now, clientVersion }: CheckedAgainst,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { clients, previewSlots: s } = db.tables;
  const unchanged = db
    .select({ one: sql`1` })
    .from(clients)
    .where(and(eq(clients.id, clientId), eq(clients.version, clientVersion)));
  const renewal = db
    .update(s)
    .set({ endsAt, renewedAt: now })
    .where(and(eq(s.id, id), gt(s.endsAt, now), exists(unchanged)))
    .returning({ id: s.id });
  return db.guarded(renewal, also, clientLock(db, clientId));
}

/**
 * Adds a slot in place of the live one with its key, which ends, and makes `also` in the same transaction. False if the
 * client has `most` other live slots, or is no longer at this version.
 */
export function insertPreviewSlot(
  db: Db,
  slot: PreviewSlotRow,
  { most, now, clientVersion }: CheckedAgainst & { most: number },
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { clients, previewSlots: s } = db.tables;
  const { clientId, key } = slot;
  const ofClient = eq(s.clientId, clientId);
  const others = db
    .select({ count: sql`count(*)` })
    .from(s)
    .where(and(ofClient, gt(s.endsAt, now), ne(s.key, key)));
  const first = db
    .update(clients)
    .set({ id: clientId })
    .where(and(eq(clients.id, clientId), eq(clients.version, clientVersion), sql`${others} < ${most}`))
    .returning({ id: clients.id });
  const keptEnded = db
    .select({ id: s.id })
    .from(s)
    .where(and(ofClient, lte(s.endsAt, now)))
    .orderBy(desc(s.endsAt), desc(s.id))
    .limit(MOST_ENDED);
  const tooMany = db.delete(s).where(and(ofClient, lte(s.endsAt, now), notInArray(s.id, keptEnded)));
  return db.guarded(
    first,
    [...endings(db, and(ofClient, eq(s.key, key)), now), tooMany, db.insert(s).values(slot), ...also],
    clientLock(db, clientId),
  );
}

/**
 * Ends a live slot with everything issued through it, and makes `also` in the same transaction. False if it is not
 * live.
 */
export function endPreviewSlot(db: Db, id: string, now: number, also: readonly WriteQuery[] = []): Promise<boolean> {
  const { previewSlots: s } = db.tables;
  const end = db
    .update(s)
    .set({ endsAt: now })
    .where(and(eq(s.id, id), gt(s.endsAt, now)))
    .returning({ id: s.id });
  return db.guarded(end, [...endings(db, eq(s.id, id), now), ...also]);
}

/** `live`: the live slots that were looked at, and `ended` the ids of those that the new frame ends. */
export type FrameChange = {
  clientId: string;
  frame: PreviewFrame | null;
  version: number;
  live: readonly PreviewSlotRow[];
  ended: readonly string[];
};

/**
 * Sets or removes the frame of a client, ends the slots of `ended`, and makes `also` in the same transaction. False if
 * the client is not at `version` any more, or has other live slots than `live`.
 */
export function setPreviewFrame(
  db: Db,
  { clientId, frame, version, live, ended }: FrameChange,
  now: number,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { clients, previewSlots: s } = db.tables;
  const set = db
    .update(clients)
    .set({ previewFrame: frame, updatedAt: now, version: sql`${clients.version} + 1` })
    .where(and(eq(clients.id, clientId), eq(clients.version, version), hasLiveSlots(db, clientId, live, now)))
    .returning({ id: clients.id });
  const endingSlots = ended.length === 0 ? [] : endings(db, inArray(s.id, [...ended]), now);
  return db.guarded(set, [...endingSlots, ...also], clientLock(db, clientId));
}

/** Whether a client has exactly these live slots, with these ends. For a write after {@link clientLock}. */
function hasLiveSlots(db: Db, clientId: string, live: readonly PreviewSlotRow[], now: number): SQL | undefined {
  const { previewSlots: s } = db.tables;
  const count = (condition?: SQL) =>
    db
      .select({ count: sql`count(*)` })
      .from(s)
      .where(and(eq(s.clientId, clientId), gt(s.endsAt, now), condition));
  if (live.length === 0) return sql`${count()} = 0`;
  const asRead = or(...live.map(({ id, endsAt }) => and(eq(s.id, id), eq(s.endsAt, endsAt))));
  return and(sql`${count()} = ${live.length}`, sql`${count(asRead)} = ${live.length}`);
}

/** The writes that end the slots that `which` matches, and revoke the grants made through them. */
function endings(db: Db, which: SQL | undefined, now: number): WriteQuery[] {
  const { previewSlots: s, previewGrants, grants } = db.tables;
  const through = db
    .select({ id: previewGrants.grantId })
    .from(previewGrants)
    .innerJoin(s, eq(s.id, previewGrants.slotId))
    .where(which);
  return [
    db
      .update(s)
      .set({ endsAt: now })
      .where(and(which, gt(s.endsAt, now))),
    db
      .update(grants)
      .set({ revokedAt: now, revokedReason: "preview slot ended" })
      .where(and(inArray(grants.id, through), isNull(grants.revokedAt))),
  ];
}
