import assert from "node:assert/strict";
import { type Answer, type HeaderFields, send } from "./http.ts";
import type { Relay } from "./relay.ts";
import { type Browser, FETCH, NAVIGATION } from "./sdk-browser.ts";

const REQUESTS = 50;
const KINDS = [
  NAVIGATION,
  FETCH,
  { ...NAVIGATION, "sec-purpose": "prefetch" },
  // A link that Next's router loads ahead.
  { ...FETCH, rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree", "next-url": "/" },
];

/** Processes behind one address. */
type Processes = { origins: readonly string[]; relay: Relay; setClock: (ahead: number) => Promise<void> };

/**
 * N81: in each round, `stepSeconds` later, the access token is about to expire, and fifty requests at once still send the old cookie, to all processes in
 * turn. All of them pass, each process exchanges the token at most once, and whichever response the browser keeps, it is
 * still signed in at the next expiry.
 *
 * @throws AssertionError.
 */
export async function expectAcrossExpiry(
  { origins, relay, setClock }: Processes,
  browser: Browser,
  { rounds, stepSeconds }: { rounds: number; stepSeconds: number },
): Promise<void> {
  for (let round = 1; round <= rounds + 1; round++) {
    await setClock(round * stepSeconds);
    const before = relay.seen["/token"] ?? 0;
    const cookie = browser.cookieHeader();
    const answers = await Promise.all(
      Array.from({ length: REQUESTS }, (_, at) =>
        ask(origins[at % origins.length] ?? "", { ...KINDS[Math.floor(at / origins.length) % KINDS.length], cookie }),
      ),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const exchanges = (relay.seen["/token"] ?? 0) - before;
    assert.ok(exchanges <= origins.length, `${exchanges} exchanges in round ${round}`);
    const kept = answers.filter(({ setCookies }) => setCookies.length > 0)[round % 7];
    for (const line of kept?.setCookies ?? []) browser.keep(line);
    assert.notEqual(browser.cookieHeader(), cookie, `no new cookie in round ${round}`);
  }
  assert.equal((await browser.visit("/orders")).signIns, 0);
}

/** Next first redirects its router to the URL with the hash of the router's headers. */
async function ask(origin: string, headers: HeaderFields): Promise<Answer> {
  const answer = await send(origin, "/orders", { headers });
  const location = answer.headers.get("location");
  return answer.status === 307 && location !== null ? send(origin, location, { headers }) : answer;
}
