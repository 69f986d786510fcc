// OP-89: five hundred wrong passwords a second, and clients get their tokens as before
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { emailOf } from "../harness/fixture.ts";
import { USERS } from "./fleet/fixture.ts";
import { newSingle } from "./fleet/single.ts";
import { LONG, openFigures, progress } from "./form.ts";
import { generate } from "./generator/generate.ts";
import { countOf, type Load, othersIn } from "./generator/job.ts";
import { TOKEN } from "./traffic/calls.ts";
import type { Call } from "./traffic/client.ts";

const ID = "OP-89";
const SECONDS = LONG ? 60 : 10;
const GUESSES = 500;
/** So many different ones that no limit by account or address holds them all. */
const DIFFERENT = 20_000;
/** A wrong password, too many of them, or no place to hash it. */
const REFUSED = ["400", "429", "503"];
const CONNECTIONS = 32;
const WARM_SECONDS = 5;
/** Tokens a second without guesses on a machine that has as much time for the guesses as they take. */
const IDLE_RATE = 2_000;
const figures = openFigures(ID);

/** A wrong password for some account, from anywhere. */
function guess(csrf: string, cookie: string, origin: string): Call {
  const email =
    randomInt(2) === 0 ? emailOf(USERS[randomInt(USERS.length)] ?? "") : `nobody-${randomInt(1e9)}@example.com`;
  const from = `10.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-forwarded-for": from,
    "sec-fetch-site": "same-origin",
    origin,
    cookie,
  };
  return {
    path: "/sign-in",
    method: "POST",
    headers,
    body: new URLSearchParams({ csrf, email, password: "wrong password" }).toString(),
  };
}

test(`OP-89 beside ${GUESSES} wrong passwords a second tokens are issued as fast, and the rest is refused`, async () => {
  const single = await newSingle("sqlite", { WEB_CONCURRENCY: "2" });
  await single.start();
  const { issuer, port } = single;
  try {
    const agent = newAgent(issuer);
    const page = await agent.open("/sign-in");
    const csrf = page.document.querySelector("input[name=csrf]")?.getAttribute("value") ?? "";
    const cookie = [...agent.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const tokens = (load: Load, seconds: number, warmSeconds = 2) =>
      generate({ port, calls: [TOKEN], load, warmSeconds, seconds });
    const answered = (of: Awaited<ReturnType<typeof tokens>>) => countOf(of, "200") / of.seconds;

    await tokens({ connections: CONNECTIONS }, SECONDS / 2); // a log that has grown is slower than an empty one
    const unloaded = answered(await tokens({ connections: CONNECTIONS }, SECONDS / 2));
    progress(ID, `${Math.round(unloaded)} tokens/s without guesses`);
    if (unloaded < IDLE_RATE)
      return figures.skip(`this machine does something else: ${Math.round(unloaded)} tokens a second without guesses`);
    const calls = Array.from({ length: DIFFERENT }, () => guess(csrf, cookie, issuer));
    // Its connections are open before the guesses begin, as a proxy's are; the first pages of a process are slow.
    const few = tokens({ perSecond: 50, open: CONNECTIONS }, SECONDS, 2 * WARM_SECONDS);
    await pause(WARM_SECONDS * 1_000);
    const seconds = SECONDS * 1.5 + 6;
    const guessing = generate({ port, calls, load: { perSecond: GUESSES }, warmSeconds: WARM_SECONDS, seconds });
    const beside = await few;
    const loaded = answered(await tokens({ connections: CONNECTIONS }, SECONDS / 2));
    const guesses = await guessing;

    const p99 = beside.outcomes["200"]?.p99 ?? Number.NaN;
    const share = loaded / unloaded;
    figures.add({ what: "guesses a second", value: countOf(guesses) / guesses.seconds });
    for (const [status, { count }] of Object.entries(guesses.outcomes))
      figures.add({ what: `guesses answered ${status}`, value: count });
    figures.add({ what: "p99 of /token meanwhile", value: p99, unit: "ms", limit: "< 150", isMet: p99 < 150 });
    figures.add({ what: "tokens a second without guesses", value: unloaded });
    figures.add({
      what: "tokens a second, share of those without guesses",
      value: share,
      limit: "≥ 0.7",
      isMet: share >= 0.7,
    });
    expect(othersIn(beside, "200")).toEqual([]);
    expect(othersIn(guesses, ...REFUSED)).toEqual([]);
    expect(guesses.without, "503 without Retry-After").toBe(0);
    expect(countOf(beside, "200")).toBeGreaterThan(SECONDS * 45);
  } finally {
    await single.remove();
  }
});
