import { and, eq, like } from "drizzle-orm";
import type { Db, ReadDb, WriteQuery } from "./query/db.ts";

/** A fact about the installation; undefined if it was never written. */
export async function readFact(db: ReadDb, key: string): Promise<string | undefined> {
  const { installation } = db.tables;
  const [row] = await db.select({ value: installation.value }).from(installation).where(eq(installation.key, key));
  return row?.value;
}

/** The facts whose keys begin with `prefix`, which has neither `%` nor `_`: their values by the rest of the key. */
export async function listFacts(db: ReadDb, prefix: string): Promise<Map<string, string>> {
  const { installation: i } = db.tables;
  const rows = await db
    .select({ key: i.key, value: i.value })
    .from(i)
    .where(like(i.key, `${prefix}%`));
  return new Map(rows.map(({ key, value }) => [key.slice(prefix.length), value]));
}

/** Writes a fact unless it exists. If several processes race, the first one's value stays. */
export async function insertFact(db: Db, key: string, value: string): Promise<void> {
  const { installation } = db.tables;
  await db.insert(installation).values({ key, value }).onConflictDoNothing();
}

/** For {@link Db.guarded}: returns a row unless the fact is no longer `from`. */
export function factReplacement(db: Db, key: string, { from, to }: { from: string; to: string }): WriteQuery {
  const { installation } = db.tables;
  return db
    .update(installation)
    .set({ value: to })
    .where(and(eq(installation.key, key), eq(installation.value, from)))
    .returning({ key: installation.key });
}

/** Writes a fact, whether it exists or not. */
export async function writeFact(db: Db, key: string, value: string): Promise<void> {
  const { installation } = db.tables;
  await db.upsert(installation).values({ key, value }).onConflictDoUpdate({ target: installation.key, set: { value } });
}

export async function deleteFact(db: Db, key: string): Promise<void> {
  await factDeletion(db, key);
}

export function factDeletion(db: Db, key: string) {
  const { installation } = db.tables;
  return db.delete(installation).where(eq(installation.key, key));
}

/**
 * The first write of a transaction: until its commit, others with the same key wait here. On SQLite all writes wait for
 * each other anyway.
 */
export function lockUntilCommit(db: Db, key: string): WriteQuery {
  const { installation } = db.tables;
  return db
    .upsert(installation)
    .values({ key, value: "" })
    .onConflictDoUpdate({ target: installation.key, set: { value: "" } });
}
