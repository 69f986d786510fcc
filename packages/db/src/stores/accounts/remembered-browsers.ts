import type { AccountRecord, NewRememberedBrowser, RememberedBrowser } from "@gatehouse/accounts";
import type { Hash } from "@gatehouse/auth";
import { and, desc, eq, exists, gt, type SQL } from "drizzle-orm";
import type { Db, ReadDb } from "../../query/db.ts";
import { changeAccount } from "./account-change.ts";
import { accountRecordWrites } from "./account-records.ts";

/** The rows of the user's current sign-in epoch that have not expired. */
function live(db: ReadDb, userId: string, now: number): SQL | undefined {
  const { rememberedBrowsers: browsers, users } = db.tables;
  const epoch = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, browsers.userId), eq(users.signInEpoch, browsers.signInEpoch)));
  return and(eq(browsers.userId, userId), gt(browsers.expiresAt, now), exists(epoch));
}

/** Remembers a browser, or renews it. */
export async function rememberBrowser(db: Db, browser: NewRememberedBrowser, also: AccountRecord): Promise<void> {
  const { rememberedBrowsers } = db.tables;
  await db.transaction([
    db.delete(rememberedBrowsers).where(eq(rememberedBrowsers.hash, browser.hash)),
    db.insert(rememberedBrowsers).values(browser),
    ...accountRecordWrites(db, also),
  ]);
}

/** Is this browser remembered for the user? Notes the use. */
export async function useRememberedBrowser(db: Db, userId: string, hash: Hash, now: number): Promise<boolean> {
  const { rememberedBrowsers } = db.tables;
  const used = await db
    .update(rememberedBrowsers)
    .set({ lastUsedAt: now })
    .where(and(eq(rememberedBrowsers.hash, hash), live(db, userId, now)))
    .returning({ id: rememberedBrowsers.id });
  return used.length === 1;
}

/** The most recent first; at most 50. */
export async function listRememberedBrowsers(db: ReadDb, userId: string, now: number): Promise<RememberedBrowser[]> {
  const { id, userAgent, address, createdAt, lastUsedAt, expiresAt, ...columns } = db.tables.rememberedBrowsers;
  return db
    .select({ id, userAgent, address, createdAt, lastUsedAt, expiresAt })
    .from(db.tables.rememberedBrowsers)
    .where(live(db, userId, now))
    .orderBy(desc(lastUsedAt), desc(columns.hash))
    .limit(50);
}

/** False if the user has no such browser. */
export function forgetBrowser(db: Db, userId: string, id: string, also: AccountRecord, now: number): Promise<boolean> {
  const { rememberedBrowsers } = db.tables;
  const first = db
    .delete(rememberedBrowsers)
    .where(and(eq(rememberedBrowsers.userId, userId), eq(rememberedBrowsers.id, id)))
    .returning({ id: rememberedBrowsers.id });
  return changeAccount(db, { userId, first, also }, now);
}
