// OP-86: a thousand slow connections of slowhttptest, and everybody else is served as before
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { launch } from "../harness/processes.ts";
import { newSingle } from "./fleet/single.ts";
import { LONG, missingPackages, openFigures, program, progress } from "./form.ts";
import { generate } from "./generator/generate.ts";
import { countOf, othersIn } from "./generator/job.ts";
import { accessToken, apiCall, TOKEN } from "./traffic/calls.ts";
import { openClient } from "./traffic/client.ts";

const ID = "OP-86";
const CONNECTIONS = 1_000;
const SECONDS = LONG ? 60 : 10;
const PER_SECOND = 100;
const OPEN = 16;
const figures = openFigures(ID);
const missing = missingPackages({ slowhttptest: "slowhttptest" });
if (missing.length > 0) figures.skip(`install the Debian package ${missing.join(", ")}`);

const ATTACKS = {
  "slow headers": ["-H", "-i", "5"],
  "slow bodies": ["-B", "-i", "5", "-s", "8192", "-t", "POST"],
  "slow reading": ["-X", "-w", "1", "-y", "2", "-z", "1", "-n", "5"],
};

test.skipIf(missing.length > 0).each(Object.entries(ATTACKS))(
  `OP-86 %s of ${CONNECTIONS} connections leave everybody else's requests alone`,
  async (name, flags) => {
    // Callers come from addresses of their own: no proxy is trusted.
    const single = await newSingle("sqlite", { GATEHOUSE_TRUST_PROXY: "0" });
    await single.start();
    const client = openClient(single.issuer);
    try {
      const { port, folder } = single;
      const calls = [TOKEN, apiCall(await accessToken(client))];
      const load = { perSecond: PER_SECOND, open: OPEN };
      const others = (seconds: number) =>
        generate({ port, calls, load, warmSeconds: 2, seconds, addresses: ["127.0.0.2", "127.0.0.3", "127.0.0.4"] });
      const before = await others(SECONDS);
      progress(ID, name);
      const path = name === "slow bodies" ? "/token" : "/sign-in";
      const url = `http://127.0.0.1:${port}${path}`;
      // The attacker has a machine of its own: its work must not be what others wait for.
      const command = ["-n", "19", program("slowhttptest"), ...flags];
      const rate = ["-c", String(CONNECTIONS), "-r", "500", "-l", String(SECONDS + 15), "-u", url];
      const attack = launch("nice", [...command, ...rate], { cwd: folder, env: {} });
      await pause(3_000);
      const meanwhile = await others(SECONDS);
      await attack.crash();
      const p99 = (of: typeof before) => of.outcomes["200"]?.p99 ?? Number.NaN;
      const ratio = p99(meanwhile) / p99(before);
      figures.add({ what: `${name}: p99 of others before`, value: p99(before), unit: "ms" });
      figures.add({
        what: `${name}: p99 of others meanwhile`,
        value: p99(meanwhile),
        unit: "ms",
        limit: "< 2 × before",
        isMet: ratio < 2,
      });
      expect(countOf(meanwhile, "200")).toBeGreaterThan(SECONDS * PER_SECOND * 0.9);
      expect(othersIn(meanwhile, "200")).toEqual([]);
    } finally {
      client.close();
      await single.remove();
    }
  },
);
