import type { BrandingSettings, Picture } from "@gatehouse/accounts";
import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";
import { eq, sql } from "drizzle-orm";

/** How an application looks. `updatedAt` (Unix seconds) changes the URLs of its logo and stylesheet. */
export type BrandingRow = { settings: BrandingSettings; hasLogo: boolean; updatedAt: number };

export async function findBranding(db: ReadDb, applicationId: string): Promise<BrandingRow | undefined> {
  const { applicationBranding: b } = db.tables;
  const [row] = await db
    .select({ settings: b.settings, logoType: b.logoType, updatedAt: b.updatedAt })
    .from(b)
    .where(eq(b.applicationId, applicationId));
  return row && { settings: row.settings, hasLogo: row.logoType !== null, updatedAt: row.updatedAt };
}

export async function findLogo(
  db: ReadDb,
  applicationId: string,
): Promise<{ type: string; bytes: Uint8Array } | undefined> {
  const { applicationBranding: b } = db.tables;
  const [row] = await db.select({ type: b.logoType, bytes: b.logo }).from(b).where(eq(b.applicationId, applicationId));
  return row?.type && row.bytes ? { type: row.type, bytes: row.bytes } : undefined;
}

/**
 * Replaces what is given; the rest stays. A logo of null is removed. `updatedAt` always changes, since it names what
 * browsers cached. Makes `also` in the same transaction. False if the branding was saved since `version`, an
 * `updatedAt`.
 */
export async function saveBranding(
  db: Db,
  applicationId: string,
  { settings, logo }: { settings?: BrandingSettings; logo?: Picture | null },
  now: number,
  { version, also = [] }: { version?: number | undefined; also?: readonly WriteQuery[] } = {},
): Promise<boolean> {
  const { applicationBranding: b } = db.tables;
  const change = {
    ...(settings && { settings }),
    ...(logo !== undefined && { logo: logo && Buffer.from(logo.bytes), logoType: logo?.type ?? null }),
  };
  const updatedAt = sql`case when ${b.updatedAt} < ${now} then ${now} else ${b.updatedAt} + 1 end`;
  const unchanged = version === undefined ? undefined : eq(b.updatedAt, version);
  const save = db
    .upsert(b)
    .values({ applicationId, settings: {}, ...change, updatedAt: now })
    .onConflictDoUpdate({
      target: b.applicationId,
      set: { ...change, updatedAt },
      ...(unchanged && { setWhere: unchanged }),
    })
    .returning({ id: b.applicationId });
  return db.guarded(save, also);
}
