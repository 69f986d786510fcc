import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";
import { eq, sql } from "drizzle-orm";

/**
 * Settings saved in the console, as environment variables would give them; those with a password are sealed
 * (`sealed.ts`). `version` counts the changes; 0 before the first one.
 */
export type SavedSettings = { values: Readonly<Record<string, string>>; version: number };

const ONLY_ROW = "settings";

export async function findSavedSettings(db: ReadDb): Promise<SavedSettings> {
  const { settings: s } = db.tables;
  const [row] = await db.select({ values: s.values, version: s.version }).from(s).where(eq(s.id, ONLY_ROW));
  return row ?? { values: {}, version: 0 };
}

/** Replaces all saved settings and makes `also` in the same transaction. False if they were changed since `version`. */
export function saveSettings(
  db: Db,
  values: Record<string, string>,
  { version, also }: { version: number; also: readonly WriteQuery[] },
): Promise<boolean> {
  const { settings: s } = db.tables;
  const first = db.insert(s).values({ id: ONLY_ROW, values, version: 1 }).onConflictDoNothing().returning({ id: s.id });
  const next = db
    .update(s)
    .set({ values, version: sql`${s.version} + 1` })
    .where(sql`${s.id} = ${ONLY_ROW} and ${s.version} = ${version}`)
    .returning({ id: s.id });
  return db.guarded(version === 0 ? first : next, also);
}
