import type { Also, NewRememberedBrowser, RememberedBrowser } from "@gatehouse/accounts";
import type { Hash } from "@gatehouse/auth";
import { and, desc, eq, exists, gt, type SQL } from "drizzle-orm";
import type { Handle, ReadHandle } from "../../query/handle.ts";
import { accountRecordWrites } from "./also.ts";
import { changeAccount } from "./changes.ts";

/** The rows of the user's current sign-in epoch that have not expired. */
function live({ db, tables: { rememberedBrowsers: browsers, users } }: ReadHandle, userId: string, now: number): SQL | undefined {
  const epoch = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, browsers.userId), eq(users.signInEpoch, browsers.signInEpoch)));
  return and(eq(browsers.userId, userId), gt(browsers.expiresAt, now), exists(epoch));
}

/** Remembers a browser, or renews it. */
export async function rememberBrowser(handle: Handle, browser: NewRememberedBrowser, also: Also): Promise<void> {
  const { db, tables } = handle;
  const { rememberedBrowsers } = tables;
  await handle.transaction([
    db.delete(rememberedBrowsers).where(eq(rememberedBrowsers.hash, browser.hash)),
    db.insert(rememberedBrowsers).values(browser),
    ...accountRecordWrites(handle, also),
  ]);
}

/** Is this browser remembered for the user? Notes the use. */
export async function useRememberedBrowser(handle: Handle, userId: string, hash: Hash, now: number): Promise<boolean> {
  const { rememberedBrowsers } = handle.tables;
  const used = await handle.db
    .update(rememberedBrowsers)
    .set({ lastUsedAt: now })
    .where(and(eq(rememberedBrowsers.hash, hash), live(handle, userId, now)))
    .returning({ id: rememberedBrowsers.id });
  return used.length === 1;
}

/** The most recent first; at most 50. */
export async function listRememberedBrowsers(handle: ReadHandle, userId: string, now: number): Promise<RememberedBrowser[]> {
  const { id, userAgent, address, createdAt, lastUsedAt, expiresAt, ...columns } = handle.tables.rememberedBrowsers;
  return handle.db
    .select({ id, userAgent, address, createdAt, lastUsedAt, expiresAt })
    .from(handle.tables.rememberedBrowsers)
    .where(live(handle, userId, now))
    .orderBy(desc(lastUsedAt), desc(columns.hash))
    .limit(50);
}

/** False if the user has no such browser. */
export function forgetBrowser(handle: Handle, userId: string, id: string, also: Also, now: number): Promise<boolean> {
  const { rememberedBrowsers } = handle.tables;
  const first = handle.db
    .delete(rememberedBrowsers)
    .where(and(eq(rememberedBrowsers.userId, userId), eq(rememberedBrowsers.id, id)))
    .returning({ id: rememberedBrowsers.id });
  return changeAccount(handle, { userId, first, also }, now);
}
