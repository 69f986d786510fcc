import { type AuditRow, auditColumns, auditInsert } from "@gatehouse/db/audit";
import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";
import { and, asc, eq, gt, isNull, lte } from "drizzle-orm";

/** A row with its place in the chain. CO-65. */
export type SealedRow = Required<AuditRow> & { number: number; hash: string; mac: string; keyId: string };
/** What the sealer sets on a row. */
export type RowSeal = Pick<SealedRow, "id" | "number" | "hash" | "mac" | "keyId">;
/** The end of the chain, and the last row that was pruned. */
export type AuditChain = { number: number; hash: string; mac: string; keyId: string } & AuditCheckpoint;
export type AuditCheckpoint = { prunedNumber: number; prunedHash: string; prunedMac: string };

const ID = "audit";

/** The state of the chain; undefined before the first row is sealed. */
export async function findAuditChain(db: ReadDb): Promise<AuditChain | undefined> {
  const { auditChain: c } = db.tables;
  const [row] = await db.select().from(c).where(eq(c.id, ID));
  if (!row) return undefined;
  const { id: _, ...chain } = row;
  return chain;
}

/** The oldest rows that are not sealed yet. */
export async function listUnsealedRows(db: ReadDb, limit: number): Promise<Required<AuditRow>[]> {
  const { audit } = db.tables;
  return db.select(auditColumns(audit)).from(audit).where(isNull(audit.number)).orderBy(asc(audit.id)).limit(limit);
}

/** Sealed rows with a number of at least `from`, in the order of the chain. */
export async function listSealedRows(db: ReadDb, from: number, limit: number): Promise<SealedRow[]> {
  const { audit } = db.tables;
  const rows = await db
    .select({ ...auditColumns(audit), number: audit.number, hash: audit.hash, mac: audit.mac, keyId: audit.keyId })
    .from(audit)
    .where(gt(audit.number, from - 1))
    .orderBy(asc(audit.number), asc(audit.id))
    .limit(limit);
  return rows.map(({ number, hash, mac, keyId, ...row }) => ({
    ...row,
    number: number ?? 0,
    hash: hash ?? "",
    mac: mac ?? "",
    keyId: keyId ?? "",
  }));
}

/**
 * Moves the end of the chain from `from` (undefined: there is none) to `to` and seals the rows, all or nothing. `added`
 * is inserted first, `also` is made in the same transaction. False if somebody else moved it meanwhile.
 */
export function sealAuditRows(
  db: Db,
  {
    from,
    to,
    seals,
    added = [],
    also = [],
  }: {
    from: AuditChain | undefined;
    to: AuditChain;
    seals: readonly RowSeal[];
    added?: readonly AuditRow[];
    also?: readonly WriteQuery[];
  },
): Promise<boolean> {
  const { audit, auditChain: c } = db.tables;
  const first = from
    ? db
        .update(c)
        .set(to)
        .where(and(eq(c.id, ID), eq(c.number, from.number), eq(c.mac, from.mac)))
        .returning({ id: c.id })
    : db
        .insert(c)
        .values({ ...to, id: ID })
        .onConflictDoNothing()
        .returning({ id: c.id });
  const writes: WriteQuery[] = [
    ...added.map((row) => auditInsert(db, row)),
    ...seals.map(({ id, ...seal }) =>
      db
        .update(audit)
        .set(seal)
        .where(and(eq(audit.id, id), isNull(audit.number))),
    ),
    ...also,
  ];
  return db.guarded(first, writes);
}

/**
 * Deletes every sealed row up to the checkpoint, and makes `also` in the same transaction. False if somebody else
 * pruned meanwhile.
 */
export function pruneAuditRows(
  db: Db,
  before: number,
  checkpoint: AuditCheckpoint,
  also: readonly WriteQuery[],
): Promise<boolean> {
  const { audit, auditChain: c } = db.tables;
  const first = db
    .update(c)
    .set(checkpoint)
    .where(and(eq(c.id, ID), eq(c.prunedNumber, before)))
    .returning({ id: c.id });
  return db.guarded(first, [db.delete(audit).where(lte(audit.number, checkpoint.prunedNumber)), ...also]);
}
