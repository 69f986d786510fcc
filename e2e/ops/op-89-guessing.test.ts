// OP-89: five hundred wrong passwords a second, and clients get their tokens as before
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { emailOf } from "../harness/fixture.ts";
import { USERS } from "./fleet/fixture.ts";
import { newSingle } from "./fleet/single.ts";
import { LONG, openFigures, progress } from "./form.ts";
import { TOKEN } from "./traffic/calls.ts";
import { peakOf } from "./traffic/capacity.ts";
import { type Call, openClient } from "./traffic/client.ts";
import { countOf, failuresIn, quantile } from "./traffic/outcomes.ts";
import { during, startRate } from "./traffic/rate.ts";

const ID = "OP-89";
const SECONDS = 60;
const GUESSES = 500;
/** A wrong password, too many of them, or no place to hash it. */
const REFUSED = [400, 429, 503];
const figures = openFigures(ID);

/** A wrong password for some account, from anywhere: no limit by account or address holds them all. */
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

// Only in its long form: it needs more cores than those of the servers and of the guesser.
test.runIf(LONG)(
  `OP-89 beside ${GUESSES} wrong passwords a second tokens are issued as fast, and the rest is refused`,
  async () => {
    const single = await newSingle("sqlite", { WEB_CONCURRENCY: "2" });
    await single.start();
    const client = openClient(single.issuer);
    const guesser = openClient(single.issuer);
    try {
      const agent = newAgent(single.issuer);
      const page = await agent.open("/sign-in");
      const csrf = page.document.querySelector("input[name=csrf]")?.getAttribute("value") ?? "";
      const cookie = [...agent.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      await peakOf(client, 2, () => TOKEN);
      const unloaded = await peakOf(client, SECONDS / 2, () => TOKEN, 8);
      progress(ID, `${Math.round(unloaded)} tokens/s without guesses`);

      const guesses = startRate(guesser, GUESSES, () => guess(csrf, cookie, single.issuer), { expected: REFUSED });
      await pause(2_000);
      const times = await during(SECONDS, client, 50, () => TOKEN);
      const loaded = await peakOf(client, SECONDS / 2, () => TOKEN, 8);
      await guesses.stop();
      const p99 = quantile(
        times.map(({ ms }) => ms),
        0.99,
      );
      const share = loaded / unloaded;
      figures.add({ what: "guesses", value: guesses.outcomes.length });
      figures.add({
        what: "guesses that were refused otherwise",
        value: failuresIn(guesses.outcomes).length,
        limit: "0",
        isMet: failuresIn(guesses.outcomes).length === 0,
      });
      figures.add({ what: "p99 of /token meanwhile", value: p99, unit: "ms", limit: "< 150", isMet: p99 < 150 });
      figures.add({
        what: "tokens a second, share of those without guesses",
        value: share,
        limit: "≥ 0.7",
        isMet: share >= 0.7,
      });
      expect(failuresIn(guesses.outcomes)).toEqual([]);
      expect(failuresIn(times)).toEqual([]);
      expect(countOf(times, "answered")).toBeGreaterThan(SECONDS * 25);
    } finally {
      client.close();
      guesser.close();
      await single.remove();
    }
  },
);
