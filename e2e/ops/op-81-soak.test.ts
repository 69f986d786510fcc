// OP-81: hours of load, after which a server needs no more memory and no more files, and is no slower, than at the start
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { openFiles, residentBytes } from "./fleet/processes.ts";
import { newSingle } from "./fleet/single.ts";
import { LONG, openFigures, progress } from "./form.ts";
import { generate } from "./generator/generate.ts";
import { countOf, type Load, type Measured, othersIn } from "./generator/job.ts";
import { accessToken, apiCall, introspectionOf, TOKEN } from "./traffic/calls.ts";
import { failuresIn, quantile } from "./traffic/outcomes.ts";
import { startTraffic } from "./traffic/start.ts";
import { startWheel } from "./traffic/wheel.ts";

const ID = "OP-81";
/** OPS_SOAK_MINUTES=1440 before a release. */
const MINUTES = LONG ? Number(process.env["OPS_SOAK_MINUTES"] ?? 120) : 1;
const SAMPLES = 40;
const ROUND_SECONDS = LONG ? 60 : 8;
/** Caches and the heap fill first. */
const WARM_SHARE = 0.25;
/** Stories of every kind; what makes the load is sent apart. */
const PER_SECOND = 30;
/** Of what the server answers at most. */
const LOAD_SHARE = 0.6;
const CONNECTIONS = 32;
/** What a client remembers must not be what grows. */
const KEPT = 2_000;
const figures = openFigures(ID);

type Sample = { at: number; rss: number; files: number };

test(`OP-81 after ${MINUTES} minutes of load memory, files and p99 are where they were`, async () => {
  const single = await newSingle("sqlite");
  const { child } = await single.start();
  const pid = child.pid ?? 0;
  const { port } = single;
  const { client, ledger, asking, people, stories } = await startTraffic({ ...single, ports: [port] });
  try {
    const token = await accessToken(client);
    const calls = [TOKEN, ...Array.from({ length: 4 }, () => [apiCall(token), introspectionOf(token)]).flat()];
    const send = (load: Load, seconds: number) => generate({ port, calls, load, warmSeconds: 1, seconds });
    const peak = countOf(await send({ connections: CONNECTIONS }, 8), "200") / 8;
    const wheel = startWheel(stories, PER_SECOND);
    const began = performance.now();
    const load = { perSecond: LOAD_SHARE * peak, open: CONNECTIONS };
    progress(ID, `${Math.round(load.perSecond)} requests/s`);
    const rounds = soak(() => send(load, ROUND_SECONDS), began + MINUTES * 60_000);
    const samples: Sample[] = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      await pause((MINUTES * 60_000) / SAMPLES);
      samples.push({ at: performance.now() - began, rss: residentBytes(pid), files: openFiles(pid) });
      const failed = asking.outcomes.filter(({ result }) => result !== "answered");
      asking.outcomes.splice(0, asking.outcomes.length, ...failed);
      for (const facts of [ledger.live, ledger.dead, ledger.spentCodes, ledger.chains, ledger.events])
        facts.splice(0, Math.max(0, facts.length - KEPT));
      if (sample % 10 === 9) progress(ID, `${Math.round((samples.at(-1)?.rss ?? 0) / 2 ** 20)} MiB`);
    }
    await wheel.stop();
    await people.stop();
    const measured = await rounds;

    const warm = samples.slice(Math.floor(SAMPLES * WARM_SHARE));
    const hours = ((warm.at(-1)?.at ?? 0) - (warm[0]?.at ?? 0)) / 3_600_000;
    const growth = (third(warm, -1, "rss") - third(warm, 0, "rss")) / 2 ** 20 / (hours * (2 / 3));
    const files = third(warm, -1, "files") - third(warm, 0, "files");
    const p99 = (from: number, to: number) => {
      const part = measured.slice(Math.floor(measured.length * from), Math.ceil(measured.length * to));
      return quantile(
        part.map(({ outcomes }) => outcomes["200"]?.p99 ?? Number.NaN),
        0.5,
      );
    };
    const drift = p99(0.75, 1) / p99(WARM_SHARE, 0.5);
    figures.add({ what: "minutes", value: MINUTES });
    figures.add({ what: "requests a second", value: load.perSecond + PER_SECOND });
    figures.add({ what: "memory at the end, all processes", value: (samples.at(-1)?.rss ?? 0) / 2 ** 20, unit: "MiB" });
    figures.add({
      what: "growth of memory after the first quarter",
      value: growth,
      unit: "MiB/h",
      ...(LONG && { limit: "< 1", isMet: growth < 1 }), // a minute's growth is that of its caches
    });
    figures.add({ what: "more open files", value: files, limit: "0", isMet: files <= 0 });
    figures.add({
      what: "p99 of the last quarter, of that of the second",
      value: drift,
      unit: "×",
      ...(LONG && { limit: "< 1.1", isMet: drift < 1.1 }),
    });
    expect(ledger.violations).toEqual([]);
    // The machine of the short form may do something else too: then some of the load is more than it can serve.
    expect(failuresIn(asking.outcomes.filter(({ result }) => LONG || result !== "unavailable"))).toEqual([]);
    for (const round of measured) expect(othersIn(round, "200", ...(LONG ? [] : ["503"]))).toEqual([]);
  } finally {
    client.close();
    await single.remove();
  }
});

/** Sends the load in rounds, each in a process of its own, so that what is remembered of it does not grow. */
async function soak(round: () => Promise<Measured>, until: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  while (performance.now() < until) measured.push(await round());
  return measured;
}

/** The median of the first third of the samples, or of the last. */
function third(samples: readonly Sample[], which: 0 | -1, member: "rss" | "files"): number {
  const size = Math.ceil(samples.length / 3);
  const part = which === 0 ? samples.slice(0, size) : samples.slice(-size);
  return quantile(
    part.map((sample) => sample[member]),
    0.5,
  );
}
