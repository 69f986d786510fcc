import { expect } from "vitest";
import { send } from "./http.ts";
import { type Browser, FETCH, NAVIGATION, type Product } from "./sdk-product.ts";

const REQUESTS = 50;
const KINDS = [NAVIGATION, FETCH, { ...NAVIGATION, "sec-purpose": "prefetch" }];

/**
 * N81: in each round, `stepSeconds` later, the access token is about to expire, and fifty requests at once still send the old cookie, to all processes in
 * turn. All of them pass, each process exchanges the token at most once, and whichever response the browser keeps, it is
 * still signed in at the next expiry.
 */
export async function expectAcrossExpiry(
  product: Product,
  browser: Browser,
  { rounds, stepSeconds }: { rounds: number; stepSeconds: number },
): Promise<void> {
  const { origins, relay } = product;
  for (let round = 1; round <= rounds + 1; round++) {
    await product.setClock(round * stepSeconds);
    const before = relay.seen["/token"] ?? 0;
    const cookie = browser.cookieHeader();
    const answers = await Promise.all(
      Array.from({ length: REQUESTS }, (_, at) =>
        send(origins[at % origins.length] ?? "", "/orders", { headers: { ...KINDS[at % KINDS.length], cookie } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((relay.seen["/token"] ?? 0) - before).toBeLessThanOrEqual(origins.length);
    const kept = answers.filter(({ setCookies }) => setCookies.length > 0)[round % 7];
    for (const line of kept?.setCookies ?? []) browser.keep(line);
    expect(browser.cookieHeader()).not.toBe(cookie);
  }
  expect((await browser.visit("/orders")).signIns).toBe(0);
}
