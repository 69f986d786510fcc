import type { SigningKey } from "@gatehouse/auth";
import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";

/** Every key, oldest first. */
export function listSigningKeys(db: ReadDb): Promise<SigningKey[]> {
  const { signingKeys: keys } = db.tables;
  return db.select().from(keys).orderBy(asc(keys.activeFrom), asc(keys.kid));
}

/**
 * False if another process has saved a key with this algorithm and time. Otherwise the keys in `withdrawn` leave the
 * JWKS when this one was created, and `also` is written, all or none.
 */
export async function saveSigningKey(
  db: Db,
  key: SigningKey,
  withdrawn: readonly string[] = [],
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { tables } = db;
  const keys = tables.signingKeys;
  const at = key.createdAt;
  const added = db.insert(keys).values(key).onConflictDoNothing().returning({ kid: keys.kid });
  const withdrawal = db
    .update(keys)
    .set({ retiredAt: sql`coalesce(${keys.retiredAt}, ${at})`, removeAfter: at })
    .where(inArray(keys.kid, [...withdrawn]));
  return db.guarded(added, [...(withdrawn.length > 0 ? [withdrawal] : []), ...also]);
}

export async function retireSigningKey(
  db: Db,
  kid: string,
  at: { retiredAt: number; removeAfter: number },
): Promise<void> {
  const { signingKeys: keys } = db.tables;
  await db
    .update(keys)
    .set(at)
    .where(and(eq(keys.kid, kid), isNull(keys.retiredAt)));
}
