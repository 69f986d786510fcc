// OP-92: three times as many requests as a server can answer: it answers as many as before, and refuses the rest at once
import { expect, test } from "vitest";
import { newSingle } from "./fleet/single.ts";
import { LONG, openFigures, progress } from "./form.ts";
import { TOKEN } from "./traffic/calls.ts";
import { peakOf } from "./traffic/capacity.ts";
import { openClient } from "./traffic/client.ts";
import { between, countOf, failuresIn, quantile } from "./traffic/outcomes.ts";
import { during } from "./traffic/rate.ts";

const SECONDS = 60;
const TIMES = 3;
/** So many that the server always has something to do, however short its slices are. */
const CONNECTIONS = 256;
const figures = openFigures("OP-92");

/**
 * The load generator needs a core of its own, and must not be the limit: the server's share of its core is set so that a
 * client in Node can send three times what it answers.
 */
const SHARE_PERCENT = 10;
const SLICE_MS = 40;

// Only in its long form: it needs a core for the server and one for the client.
test.runIf(LONG)(
  `OP-92 at ${TIMES} times its capacity most of what it can do is done, and the rest gets 503 with Retry-After`,
  async () => {
    const single = await newSingle("sqlite");
    const { child } = await single.start();
    const client = openClient(single.issuer);
    const throttle = throttled(child.pid ?? 0, SHARE_PERCENT);
    try {
      await peakOf(client, 2, () => TOKEN, CONNECTIONS);
      const peak = await peakOf(client, 10, () => TOKEN, CONNECTIONS);
      progress("OP-92", `${Math.round(peak)} requests/s at most; sends ${Math.round(TIMES * peak)}`);
      const began = performance.now();
      const all = await during(SECONDS, client, TIMES * peak, () => TOKEN);
      const steady = between(all, began + 2_000, began + SECONDS * 1_000);
      const seconds = SECONDS - 2;
      const goodput = countOf(steady, "answered") / seconds / peak;
      const refused = steady.filter(({ result }) => result === "unavailable").map(({ ms }) => ms);
      const answered = steady.filter(({ result }) => result === "answered").map(({ ms }) => ms);
      figures.add({ what: "capacity", value: peak, unit: "requests/s" });
      figures.add({ what: "sent", value: steady.length / seconds, unit: "requests/s" });
      figures.add({ what: "answered, share of the capacity", value: goodput, limit: "≥ 0.8", isMet: goodput >= 0.8 });
      figures.add({
        what: "503, median",
        value: quantile(refused, 0.5),
        unit: "ms",
        limit: "< 50",
        isMet: quantile(refused, 0.5) < 50,
      });
      figures.add({ what: "503, p99", value: quantile(refused, 0.99), unit: "ms" });
      figures.add({ what: "answered, p99", value: quantile(answered, 0.99), unit: "ms" });
      expect(failuresIn(steady.filter(({ result }) => result !== "unavailable"))).toEqual([]);
      expect(refused.length).toBeGreaterThan(0);
      expect(goodput).toBeGreaterThan(0.5); // the figure above is the claim; a busy machine may take some
    } finally {
      throttle.end();
      client.close();
      await single.remove();
    }
  },
);

/** Lets a process run for a share of the time only. */
function throttled(pid: number, percent: number): { end(): void } {
  const timer = setInterval(() => {
    process.kill(pid, "SIGSTOP");
    setTimeout(() => process.kill(pid, "SIGCONT"), SLICE_MS * (1 - percent / 100));
  }, SLICE_MS);
  return {
    end() {
      clearInterval(timer);
      process.kill(pid, "SIGCONT");
    },
  };
}
