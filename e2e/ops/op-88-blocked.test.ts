// OP-88: a server whose event loop is blocked sheds requests within a second, and no longer than two after it is free
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { newSingle } from "./fleet/single.ts";
import { LONG, openFigures } from "./form.ts";
import { TOKEN } from "./traffic/calls.ts";
import { openClient } from "./traffic/client.ts";
import { between, countOf, failuresIn } from "./traffic/outcomes.ts";
import { startRate } from "./traffic/rate.ts";

const SECONDS = LONG ? 30 : 6;
const BLOCKED_MS = 300;
const FREE_MS = 100;
const figures = openFigures("OP-88");

test("OP-88 while its loop is blocked for 300 ms at a time it sheds within 1 s, and serves all again 2 s after", async () => {
  const single = await newSingle("sqlite");
  const { child } = await single.start();
  const client = openClient(single.issuer);
  try {
    // The console's requests are shed first, and only beside others in flight: tokens wait for their commit.
    const next = (number: number) => (number % 4 === 0 ? { path: "/trpc/me.get" } : TOKEN);
    const rate = startRate(client, 200, next, { expected: [200, 401] });
    await pause(3_000);
    const from = performance.now();
    while (performance.now() - from < SECONDS * 1_000) {
      child.kill("SIGSTOP"); // as a long synchronous computation does
      await pause(BLOCKED_MS);
      child.kill("SIGCONT");
      await pause(FREE_MS);
    }
    const to = performance.now();
    await pause(5_000);
    await rate.stop();

    const shed = between(rate.outcomes, from, to).filter(({ result }) => result === "unavailable");
    const after = between(rate.outcomes, to + 2_000, to + 5_000);
    const first = shed[0] === undefined ? Number.NaN : (shed[0].at - from) / 1_000;
    figures.add({ what: "sheds after", value: first, unit: "s", limit: "< 1", isMet: first < 1 });
    figures.add({ what: "shed while blocked", value: shed.length });
    figures.add({
      what: "shed 2 s after",
      value: countOf(after, "unavailable"),
      limit: "0",
      isMet: countOf(after, "unavailable") === 0,
    });
    expect(shed.length).toBeGreaterThan(0);
    expect(failuresIn(after)).toEqual([]);
    expect(countOf(rate.outcomes, "wrong", "reset")).toBe(0);
  } finally {
    client.close();
    await single.remove();
  }
});
