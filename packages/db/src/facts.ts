import { and, eq } from "drizzle-orm";
import type { Handle, ReadHandle, WriteQuery } from "./query/handle.ts";

/** A fact about the installation; undefined if it was never written. */
export async function readFact({ db, tables: { installation } }: ReadHandle, key: string): Promise<string | undefined> {
  const [row] = await db.select({ value: installation.value }).from(installation).where(eq(installation.key, key));
  return row?.value;
}

/** Writes a fact unless it exists. If several processes race, the first one's value stays. */
export async function insertFact({ db, tables: { installation } }: Handle, key: string, value: string): Promise<void> {
  await db.insert(installation).values({ key, value }).onConflictDoNothing();
}

/** For {@link Handle.guarded}: returns a row unless the fact is no longer `from`. */
export function factReplacement(
  { db, tables: { installation } }: Handle,
  key: string,
  { from, to }: { from: string; to: string },
): WriteQuery {
  return db
    .update(installation)
    .set({ value: to })
    .where(and(eq(installation.key, key), eq(installation.value, from)))
    .returning({ key: installation.key });
}

/** Writes a fact, whether it exists or not. */
export async function writeFact({ db, tables: { installation } }: Handle, key: string, value: string): Promise<void> {
  await db.upsert(installation).values({ key, value }).onConflictDoUpdate({ target: installation.key, set: { value } });
}

export async function deleteFact({ db, tables: { installation } }: Handle, key: string): Promise<void> {
  await db.delete(installation).where(eq(installation.key, key));
}

/** The first write of a transaction: until its commit, others with the same key wait here. On SQLite all writes wait for each other anyway. */
export function lockUntilCommit({ db, tables: { installation } }: Handle, key: string): WriteQuery {
  return db
    .upsert(installation)
    .values({ key, value: "" })
    .onConflictDoUpdate({ target: installation.key, set: { value: "" } });
}
