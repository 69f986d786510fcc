import type { Handle, ReadHandle, WriteQuery } from "@gatehouse/db/query/handle";
import { eq, sql } from "drizzle-orm";

/** Settings saved in the console, as environment variables would give them. `version` counts the changes; 0 before the first one. */
export type SavedSettings = { values: Readonly<Record<string, string>>; version: number };

const ONLY_ROW = "settings";

export async function findSavedSettings({ db, tables: { settings: s } }: ReadHandle): Promise<SavedSettings> {
  const [row] = await db.select({ values: s.values, version: s.version }).from(s).where(eq(s.id, ONLY_ROW));
  return row ?? { values: {}, version: 0 };
}

/** Replaces all saved settings and makes `also` in the same transaction. False if they were changed since `version`. */
export function saveSettings(
  handle: Handle,
  values: Record<string, string>,
  { version, also }: { version: number; also: readonly WriteQuery[] },
): Promise<boolean> {
  const { settings: s } = handle.tables;
  const first = handle.db.insert(s).values({ id: ONLY_ROW, values, version: 1 }).onConflictDoNothing().returning({ id: s.id });
  const next = handle.db
    .update(s)
    .set({ values, version: sql`${s.version} + 1` })
    .where(sql`${s.id} = ${ONLY_ROW} and ${s.version} = ${version}`)
    .returning({ id: s.id });
  return handle.guarded(version === 0 ? first : next, also);
}
