// OP-92: three times as many requests as a server can answer: it answers as many as before, and refuses the rest at once
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { obtainTokens, signIn } from "../harness/flow.ts";
import { CLIENTS, USERS } from "./fleet/fixture.ts";
import { newSingle } from "./fleet/single.ts";
import { LONG, missingPackages, openFigures, program, progress } from "./form.ts";
import { generate } from "./generator/generate.ts";
import { countOf, type Load, othersIn } from "./generator/job.ts";
import { exchangeOf } from "./traffic/calls.ts";
import type { Call } from "./traffic/client.ts";

const ID = "OP-92";
const SECONDS = LONG ? 60 : 8;
const TIMES = 3;
/** So many that the server always has something to do. */
const CONNECTIONS = 64;
/** As a proxy's: where callers open new ones, the excess waits in the kernel, since Node accepts one at a time. */
const OPEN = 1_500;
const [SERVER_CORE, LOAD_CORE] = [0, 1];
const [USER = ""] = USERS;
const figures = openFigures(ID);
const missing = missingPackages({ taskset: "util-linux" });
if (missing.length > 0) figures.skip(`install the Debian package ${missing.join(", ")}`);

test.skipIf(missing.length > 0)(
  `OP-92 at ${TIMES} times its capacity a server answers most of what it can, and the rest gets 503 with Retry-After`,
  async () => {
    const single = await newSingle("sqlite");
    const { child } = await single.start();
    // Its threads too: what it can do must not depend on what the load generator leaves.
    execFileSync(program("taskset"), ["-a", "-c", "-p", String(SERVER_CORE), String(child.pid)]);
    try {
      const { issuer, port } = single;
      const agent = await signIn(issuer, USER, newAgent(issuer));
      const { access } = await obtainTokens(agent, CLIENTS.web, { scope: "api:read" });
      const cookie = [...agent.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const page: Call = { path: "/account", headers: { accept: "text/html", cookie } };
      const calls = [exchangeOf(access), page];
      const send = (load: Load, seconds: number) =>
        generate({ port, calls, load, warmSeconds: 3, seconds }, { core: LOAD_CORE });
      const peak = countOf(await send({ connections: CONNECTIONS }, SECONDS / 2), "200") / (SECONDS / 2);
      progress(ID, `${Math.round(peak)} requests/s at most; sends ${Math.round(TIMES * peak)}`);
      const all = await send({ perSecond: TIMES * peak, open: OPEN }, SECONDS);

      const goodput = countOf(all, "200") / SECONDS / peak;
      const { 503: refused, 200: answered } = all.outcomes;
      figures.add({ what: "capacity", value: peak, unit: "requests/s" });
      figures.add({ what: "sent", value: countOf(all) / SECONDS, unit: "requests/s" });
      figures.add({ what: "sent how long after they were due, p99", value: all.behindMs, unit: "ms" });
      figures.add({ what: "answered, share of the capacity", value: goodput, limit: "≥ 0.8", isMet: goodput >= 0.8 });
      const refusedMs = refused?.p50 ?? Number.NaN;
      figures.add({ what: "503, median", value: refusedMs, unit: "ms", limit: "< 50", isMet: refusedMs < 50 });
      figures.add({ what: "503, p99", value: refused?.p99 ?? Number.NaN, unit: "ms" });
      figures.add({ what: "answered, p99", value: answered?.p99 ?? Number.NaN, unit: "ms" });
      expect(all.without, "503 without Retry-After").toBe(0);
      expect(othersIn(all, "200", "503", "late")).toEqual([]);
      expect(countOf(all, "200")).toBeGreaterThan(0);
    } finally {
      await single.remove();
    }
  },
);
