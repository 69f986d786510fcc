// OP-83: the power of a server's disk is cut again and again, and everything acknowledged until then is on it
import { randomInt } from "node:crypto";
import { join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "@gatehouse/db/database";
import { expect, test } from "vitest";
import { startWeb } from "../harness/gatehouse.ts";
import { freePort } from "../harness/processes.ts";
import { missingForCuts, openCutDisk } from "./fleet/cut-disk.ts";
import { newSingle, type Single } from "./fleet/single.ts";
import { LONG, openFigures, progress } from "./form.ts";
import { openClient } from "./traffic/client.ts";
import type { Ledger } from "./traffic/ledger.ts";
import { startTraffic } from "./traffic/start.ts";
import { NOTHING, verifySince, verifySpent } from "./traffic/verify.ts";
import { startWheel } from "./traffic/wheel.ts";

const ID = "OP-83";
const CUTS = LONG ? 50 : 3;
const PER_SECOND = 80;
/** Of older facts a sample is compared: those that came before the last cut have been compared already. */
const NEWEST = 400;
const OLDER = 100;
const figures = openFigures(ID);
const missing = missingForCuts();
if (missing !== undefined) figures.skip(missing);

test.skipIf(missing !== undefined)(
  `OP-83 after each of ${CUTS} power cuts the database is whole, and nothing acknowledged is lost or can be spent again`,
  async () => {
    const disk = openCutDisk();
    const single = await newSingle("sqlite", { WEB_CONCURRENCY: "2" }, { parent: disk.folder });
    try {
      await single.start();
      const { client, ledger, asking, people, stories } = await startTraffic({ ...single, ports: [single.port] });
      const wheel = startWheel(stories, PER_SECOND);
      let wrong = 0;
      let facts = 0;
      for (let cut = 1; cut <= CUTS; cut++) {
        await pause(2_000 + randomInt(1_000));
        // Nothing else runs in this process between these two lines: what is in the ledger was acknowledged before.
        const acknowledged = sampleOf(ledger);
        const after = disk.cut();
        try {
          const lost = await recover(single, join(after.folder, relative(disk.folder, single.folder)), acknowledged);
          wrong += lost.length;
          facts += Object.values(acknowledged).reduce((sum, list) => sum + list.length, 0);
          expect(lost, `after cut ${cut}`).toEqual([]);
        } finally {
          await after.remove();
        }
        if (cut % 5 === 0) progress(ID, `${cut} of ${CUTS} cuts`);
      }
      await wheel.stop();
      await people.stop();
      client.close();
      figures.add({ what: "power cuts", value: CUTS });
      figures.add({ what: "requests", value: asking.outcomes.length });
      figures.add({ what: "acknowledged facts that were compared", value: facts });
      figures.add({ what: "lost, or spent twice", value: wrong, limit: "0", isMet: wrong === 0 });
      expect(ledger.violations).toEqual([]);
    } finally {
      await single.remove();
      await disk.close();
    }
  },
);

/** Starts a server on what the cut left, and compares the ledger with it. Resolves to what differs. */
async function recover(single: Single, folder: string, acknowledged: Ledger): Promise<string[]> {
  const url = `file:${join(folder, "gatehouse.db")}`;
  const port = await freePort();
  const env = { ...single.env, GATEHOUSE_DATA_DIR: folder, DATABASE_URL: url, WEB_CONCURRENCY: "1" };
  const server = await startWeb(env, port);
  const client = openClient(`http://localhost:${port}`);
  try {
    await expectWhole(url);
    const { lost } = await verifySince(client, url, acknowledged, NOTHING);
    return [...lost, ...(await verifySpent(client, acknowledged))];
  } finally {
    client.close();
    await server.crash();
  }
}

async function expectWhole(url: string): Promise<void> {
  const { engine, close } = await openDatabase(url);
  try {
    if (engine.dialect !== "sqlite") throw new Error("expected SQLite");
    expect(engine.connection.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(engine.connection.pragma("foreign_key_check")).toEqual([]);
  } finally {
    await close();
  }
}

/** What was acknowledged, the newest facts of each kind and some older ones. Refresh tokens that are in use now are not. */
function sampleOf(ledger: Ledger): Ledger {
  const some = <Fact>(all: readonly Fact[]): Fact[] => {
    const older = Math.max(0, all.length - NEWEST);
    return all.filter((_, at) => at >= older || randomInt(older) < OLDER);
  };
  return {
    ...ledger,
    live: some(ledger.live),
    dead: some(ledger.dead),
    spentCodes: some(ledger.spentCodes),
    spentDeviceCodes: some(ledger.spentDeviceCodes),
    chains: some(ledger.chains.filter(({ busy }) => !busy)).map((one) => ({ ...one, replaced: [...one.replaced] })),
    events: some(ledger.events),
    sessions: [...ledger.sessions],
    endedSessions: some(ledger.endedSessions),
    violations: [],
  };
}
