// OP-91: a million dead rows are swept under load, fast, and nobody notices
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ENGINES } from "../harness/gatehouse.ts";
import { addDeadTokens, watchDeadTokens } from "./fleet/dead-rows.ts";
import { newSingle } from "./fleet/single.ts";
import { LONG, openFigures, progress } from "./form.ts";
import { generate } from "./generator/generate.ts";
import { countOf, othersIn } from "./generator/job.ts";
import { TOKEN } from "./traffic/calls.ts";

const ID = "OP-91";
const ROWS = LONG ? 1_000_000 : 50_000;
const SECONDS = LONG ? 60 : 6;
const PER_SECOND = 200;
/** Rows a second. OP-36 */
const LEAST = { sqlite: 2_000, postgres: 5_000 };
const figures = openFigures(ID);

describe.each(ENGINES)("OP-91 on %s", (engine) => {
  test(`OP-91 OP-36 while ${ROWS} dead rows are swept every request is answered`, async () => {
    const single = await newSingle(engine);
    try {
      const { port, env } = single;
      const load = { perSecond: PER_SECOND };
      const tokens = (seconds: number) => generate({ port, calls: [TOKEN], load, warmSeconds: 2, seconds });
      await single.start();
      const before = await tokens(SECONDS / 2);
      await single.server().crash();
      await addDeadTokens(env["DATABASE_URL"] ?? "", ROWS);

      progress(ID, `${engine}: sweeps ${ROWS} rows`);
      await single.start();
      const sweeping = (async () => {
        const watch = await watchDeadTokens(env["DATABASE_URL"] ?? "");
        const samples: { at: number; left: number }[] = [];
        for (;;) {
          const left = await watch.left();
          samples.push({ at: performance.now(), left });
          if (left === 0) break;
          await pause(500);
        }
        await watch.close();
        return rateOf(samples);
      })();
      const during = await tokens(SECONDS);
      const rate = await sweeping;

      const p99 = (of: typeof before) => of.outcomes["200"]?.p99 ?? Number.NaN;
      const ratio = p99(during) / p99(before);
      figures.add({ what: `${engine}: rows`, value: ROWS });
      figures.add({
        what: `${engine}: rows swept a second`,
        value: rate,
        limit: `≥ ${LEAST[engine].toLocaleString("en")}`,
        isMet: rate >= LEAST[engine],
      });
      figures.add({ what: `${engine}: p99 of /token before`, value: p99(before), unit: "ms" });
      figures.add({ what: `${engine}: p99 of /token meanwhile`, value: p99(during), unit: "ms" });
      figures.add({
        what: `${engine}: p99 meanwhile, of that before`,
        value: ratio,
        unit: "×",
        limit: "≤ 1.1",
        isMet: ratio <= 1.1,
      });
      expect(othersIn(during, "200")).toEqual([]);
      expect(countOf(during)).toBeGreaterThan(SECONDS * PER_SECOND * 0.9);
    } finally {
      await single.remove();
    }
  });
});

/** Rows a second, from the last moment at which all of them were there to the first without any. */
function rateOf(samples: readonly { at: number; left: number }[]): number {
  const from = samples.findLast(({ left }) => left === samples[0]?.left);
  const to = samples.at(-1);
  return from && to ? ((from.left - to.left) * 1_000) / (to.at - from.at) : Number.NaN;
}
