import { and, eq } from "drizzle-orm";
import type { Handle, ReadHandle } from "../query/handle.ts";

/** A fact about the installation; undefined when it was never written. */
export async function readFact({ db, tables: { installation } }: ReadHandle, key: string): Promise<string | undefined> {
  const [row] = await db.select({ value: installation.value }).from(installation).where(eq(installation.key, key));
  return row?.value;
}

/** Writes a fact unless there is one. Of several processes at once, the first one's value remains. */
export async function insertFact({ db, tables: { installation } }: Handle, key: string, value: string): Promise<void> {
  await db.insert(installation).values({ key, value }).onConflictDoNothing();
}

/** False when the fact was not `from` any more. */
export async function replaceFact(
  { db, tables: { installation } }: Handle,
  key: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const replaced = await db
    .update(installation)
    .set({ value: to })
    .where(and(eq(installation.key, key), eq(installation.value, from)))
    .returning({ key: installation.key });
  return replaced.length === 1;
}
