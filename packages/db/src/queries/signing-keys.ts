import type { SigningKey } from "@gatehouse/auth";
import { and, asc, eq, isNull } from "drizzle-orm";
import type { Handle, ReadHandle } from "../query/handle.ts";

/** Every key, oldest first. */
export function listSigningKeys({ db, tables: { signingKeys: keys } }: ReadHandle): Promise<SigningKey[]> {
  return db.select().from(keys).orderBy(asc(keys.activeFrom), asc(keys.kid));
}

/** False if another process has saved a key with this algorithm and time. */
export async function saveSigningKey({ db, tables: { signingKeys: keys } }: Handle, key: SigningKey): Promise<boolean> {
  const added = await db.insert(keys).values(key).onConflictDoNothing().returning({ kid: keys.kid });
  return added.length === 1;
}

export async function retireSigningKey(
  { db, tables: { signingKeys: keys } }: Handle,
  kid: string,
  at: { retiredAt: number; removeAfter: number },
): Promise<void> {
  await db
    .update(keys)
    .set(at)
    .where(and(eq(keys.kid, kid), isNull(keys.retiredAt)));
}
