import type { Browser, BrowserContext, CDPSession } from "@playwright/test";
import { adminUrl, issuer } from "./installation.ts";

/**
 * A context that the tests of one worker use one after the other, so that the console's scripts are loaded and compiled
 * once.
 */
export type WarmContext = {
  context: BrowserContext;
  /** Closes the pages of a test, and forgets its cookies, storage, routes and permissions. */
  clear: () => Promise<void>;
};

export async function openWarmContext(browser: Browser): Promise<WarmContext> {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const blank = await context.newPage();
  const cdp = await context.newCDPSession(blank);
  return {
    context,
    clear: async () => {
      for (const page of context.pages()) if (page !== blank) await page.close();
      await Promise.all([
        context.clearCookies(),
        context.clearPermissions(),
        context.unrouteAll(),
        context.setOffline(false),
        clearStorage(cdp),
      ]);
    },
  };
}

/** Unlike `setStorageState`, leaves the cache alone. */
async function clearStorage(cdp: CDPSession): Promise<void> {
  for (const origin of [issuer, adminUrl])
    await cdp.send("Storage.clearDataForOrigin", {
      origin,
      storageTypes: "local_storage,indexeddb,cache_storage,service_workers",
    });
}
