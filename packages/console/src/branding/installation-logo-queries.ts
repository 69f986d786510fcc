import type { Picture } from "@gatehouse/accounts";
import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";
import { eq, sql } from "drizzle-orm";

/** `version` is 0 before the first upload, and another number after each change. */
export type LogoVersion = { hasLogo: boolean; version: number };

const ONLY_ROW = "logo";
const NO_LOGO: LogoVersion = { hasLogo: false, version: 0 };

/** Whether the installation has a logo, and which, without its bytes: every process asks every two seconds. CO-68. */
export async function findLogoVersion(db: ReadDb): Promise<LogoVersion> {
  const { installationLogo: l } = db.tables;
  const [row] = await db.select({ type: l.type, version: l.updatedAt }).from(l).where(eq(l.id, ONLY_ROW));
  return row ? { hasLogo: row.type !== null, version: row.version } : NO_LOGO;
}

export async function findInstallationLogo(
  db: ReadDb,
): Promise<{ logo: { type: string; bytes: Uint8Array } | undefined; version: number }> {
  const { installationLogo: l } = db.tables;
  const [row] = await db
    .select({ type: l.type, bytes: l.bytes, version: l.updatedAt })
    .from(l)
    .where(eq(l.id, ONLY_ROW));
  const logo = row?.type && row.bytes ? { type: row.type, bytes: row.bytes } : undefined;
  return { logo, version: row?.version ?? NO_LOGO.version };
}

/**
 * Replaces the logo, or removes it (null), and makes `also` in the same transaction. False if it was changed since
 * `version`.
 */
export function saveInstallationLogo(
  db: Db,
  logo: Picture | null,
  { version, now, also }: { version: number; now: number; also: readonly WriteQuery[] },
): Promise<boolean> {
  const { installationLogo: l } = db.tables;
  const change = { type: logo?.type ?? null, bytes: logo && Buffer.from(logo.bytes) };
  const updatedAt = sql`case when ${l.updatedAt} < ${now} then ${now} else ${l.updatedAt} + 1 end`;
  const save = db
    .upsert(l)
    .values({ id: ONLY_ROW, ...change, updatedAt: now })
    .onConflictDoUpdate({ target: l.id, set: { ...change, updatedAt }, setWhere: eq(l.updatedAt, version) })
    .returning({ id: l.id });
  return db.guarded(save, also);
}
