// OP-82: a server or its workers are killed again and again, on both engines, and nothing acknowledged is lost
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { expectHandledOnce } from "../harness/acknowledged.ts";
import { ENGINES } from "../harness/gatehouse.ts";
import { servingProcesses } from "./fleet/processes.ts";
import { newSingle, type Single } from "./fleet/single.ts";
import { LONG, openFigures, progress } from "./form.ts";
import type { Asking } from "./traffic/ask.ts";
import { quantile } from "./traffic/outcomes.ts";
import { startTraffic } from "./traffic/start.ts";
import { NOTHING, verifySince, verifySpent } from "./traffic/verify.ts";
import { startWheel } from "./traffic/wheel.ts";

const ID = "OP-82";
const KILLS = LONG ? 200 : 4;
const PER_SECOND = 80;
/** So long until a server serves again, on a machine that does nothing else. The short forms run on busy ones. */
const SERVES_MS = 2_000;
const BUSY_TIMES = 15;
const figures = openFigures(ID);

/** Waits until so many more requests have been answered. */
async function untilAnswered({ outcomes }: Asking, count: number): Promise<void> {
  const answered = () => outcomes.filter(({ result }) => result === "answered").length;
  const before = answered();
  await expect.poll(() => answered() - before, { interval: 5, timeout: 60_000 }).toBeGreaterThanOrEqual(count);
}

/** Kills every process of the server, or every other time one of its workers. Resolves to the time until it serves. */
async function kill(single: Single, asking: Asking, number: number): Promise<{ kind: string; ms: number }> {
  const first = single.server().child.pid ?? 0;
  // A server gives up when a worker ends before it has served, as the next one would too.
  await expect.poll(single.server().output, { timeout: 60_000 }).toContain('"listening"');
  const began = performance.now();
  if (number % 2 === 0) {
    await single.server().crash();
    await single.start();
    await untilAnswered(asking, 1);
    return { kind: "server", ms: performance.now() - began };
  }
  const workers = servingProcesses(first);
  process.kill(workers[randomInt(workers.length)] ?? first, "SIGKILL");
  await untilAnswered(asking, 1);
  return { kind: "worker", ms: performance.now() - began };
}

describe.each(ENGINES)("OP-82 on %s", (engine) => {
  test(`OP-82 after ${KILLS} kills of a server or a worker everything acknowledged is there, and nothing was spent twice`, async () => {
    const single = await newSingle(engine, { WEB_CONCURRENCY: "2", GATEHOUSE_JOB_LEASE_SECONDS: "5" });
    try {
      await single.start();
      const { client, ledger, asking, people, stories } = await startTraffic({ ...single, ports: [single.port] });
      const wheel = startWheel(stories, PER_SECOND);
      const times: { kind: string; ms: number }[] = [];
      for (let number = 0; number < KILLS; number++) {
        await untilAnswered(asking, 20);
        await pause(randomInt(500));
        times.push(await kill(single, asking, number));
        if (number % 20 === 19) progress(ID, `${engine}: ${number + 1} of ${KILLS} kills`);
      }
      await untilAnswered(asking, 20);
      await wheel.stop();
      await people.stop();

      const of = (kind: string) => times.filter((one) => one.kind === kind).map(({ ms }) => ms);
      figures.add({ what: `${engine}: kills`, value: times.length });
      figures.add({ what: `${engine}: requests`, value: asking.outcomes.length });
      figures.add({
        what: `${engine}: serves after the kill of the server, median`,
        value: quantile(of("server"), 0.5),
        unit: "ms",
      });
      for (const kind of ["server", "worker"]) {
        const longest = Math.max(...of(kind));
        figures.add({
          what: `${engine}: serves after each kill of a ${kind}, the longest`,
          value: longest,
          unit: "ms",
          limit: "< 2 s",
          isMet: longest < SERVES_MS,
        });
      }
      expect(Math.max(...times.map(({ ms }) => ms))).toBeLessThan(SERVES_MS * (LONG ? 1 : BUSY_TIMES));
      expect(ledger.violations).toEqual([]);
      const url = single.env["DATABASE_URL"] ?? "";
      const { lost } = await verifySince(client, url, ledger, NOTHING);
      await expectHandledOnce(url, ledger.events, 900);
      const wrong = [...lost, ...(await verifySpent(client, ledger))];
      figures.add({
        what: `${engine}: lost, or spent twice`,
        value: wrong.length,
        limit: "0",
        isMet: wrong.length === 0,
      });
      client.close();
      expect(wrong).toEqual([]);
    } finally {
      await single.remove();
    }
  });
});
