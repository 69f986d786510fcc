import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
  type Request,
  type Response,
  type WebError,
} from "@playwright/test";
import { expectAlive } from "../harness/alive.ts";
import { adminUrl } from "./installation.ts";
import { openWarmContext, type WarmContext } from "./warm-context.ts";

export { expectAccessible, expectAccessibleOnPhoneToo } from "./accessible.ts";
export * from "./console-page.ts";
export { adminUrl, environment, full, issuer } from "./installation.ts";
export { expect };

type Fixtures = {
  /** Gives a test a context of its own, for what the shared one would keep, such as a fake clock. */
  isolated: boolean;
  /** Error statuses that scripts get where a test provokes them. */
  provoked: readonly number[];
  watched: (context: BrowserContext) => void;
};

/**
 * Fails a test when a page logs an error, throws, violates its content security policy, gets an error response, or
 * sends a request to another host. CO-98.
 */
export const test = base.extend<Fixtures, { warm: WarmContext }>({
  provoked: [[], { option: true }],
  warm: [
    async ({ browser }, use) => {
      const warm = await openWarmContext(browser);
      await use(warm);
      await warm.context.close();
    },
    { scope: "worker" },
  ],
  isolated: [false, { option: true }],
  context: async ({ browser, warm, isolated, javaScriptEnabled, locale }, use) => {
    const own = isolated || javaScriptEnabled === false || locale !== "en-US" ? await browser.newContext() : undefined;
    await use(own ?? warm.context);
    await (own?.close() ?? warm.clear());
  },
  watched: [
    async ({ context, provoked }, use) => {
      const problems: string[] = [];
      const ends: (() => void)[] = [];
      const watch = (watchedContext: BrowserContext) => ends.push(listen(watchedContext, provoked, problems));
      watch(context);
      await use(watch);
      for (const end of ends) end();
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

/** Adds what is wrong with the pages of the context to `problems`, and returns what stops that. */
function listen(context: BrowserContext, provoked: readonly number[], problems: string[]): () => void {
  const onError = (error: WebError) => problems.push(`page error: ${error.error().message}`);
  const onConsole = (message: ConsoleMessage) => {
    // Failed loads are checked below, where a page may answer 4xx.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      problems.push(`console: ${message.text()}`);
  };
  const onRequest = (request: Request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "localhost") problems.push(`third party: ${request.url()}`);
  };
  const onResponse = (response: Response) => {
    // Not an error: the console asks the user to sign in again. RFC 9470 §3.
    if (response.headers()["www-authenticate"]?.includes("insufficient_user_authentication")) return;
    const page = response.request().resourceType() === "document";
    if (response.status() >= (page ? 500 : 400) && !provoked.includes(response.status()))
      problems.push(`${response.status()}: ${response.url()}`);
  };
  context
    .on("page", waitForHydration)
    .on("weberror", onError)
    .on("console", onConsole)
    .on("request", onRequest)
    .on("response", onResponse);
  return () => {
    context
      .off("page", waitForHydration)
      .off("weberror", onError)
      .off("console", onConsole)
      .off("request", onRequest)
      .off("response", onResponse);
  };
}

/** Makes `goto` and `reload` wait until a page of the console answers clicks and keys. */
function waitForHydration(page: Page): void {
  const { goto, reload } = page;
  const then = async <Value>(opened: Promise<Value>): Promise<Value> => {
    const response = await opened;
    if (page.url().startsWith(adminUrl)) await expectAlive(page);
    return response;
  };
  page.goto = (...given) => then(goto.apply(page, given));
  page.reload = (...given) => then(reload.apply(page, given));
}
