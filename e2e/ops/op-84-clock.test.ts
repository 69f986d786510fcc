// OP-84: the clock of a running server jumps, back and forth, and nothing that has ended comes back
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "@gatehouse/db/database";
import { expect, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { emailOf, PASSWORD } from "../harness/fixture.ts";
import { USERS } from "./fleet/fixture.ts";
import { newSingle, type Single } from "./fleet/single.ts";
import { LONG, libraryPath, openFigures, progress } from "./form.ts";
import { accessToken, introspectionOf } from "./traffic/calls.ts";
import { newLedger } from "./traffic/ledger.ts";
import { countOf, failuresIn } from "./traffic/outcomes.ts";
import { startTraffic } from "./traffic/start.ts";
import { verifySpent } from "./traffic/verify.ts";
import { startWheel } from "./traffic/wheel.ts";

const ID = "OP-84";
const SECONDS = LONG ? 60 : 6;
const LIBRARY = libraryPath("faketime/libfaketimeMT.so.1");
const figures = openFigures(ID);
if (LIBRARY === undefined) figures.skip("install the Debian package faketime");

/** Starts the server with a clock that `set` moves; the monotonic clock, which timers use, goes on as it does. */
async function startWithClock(single: Single): Promise<(offset: string) => Promise<void>> {
  const file = join(single.folder, "clock");
  const set = (offset: string) => writeFile(file, `${offset}\n`);
  await set("+0");
  await single.start({
    LD_PRELOAD: LIBRARY ?? "",
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    DONT_FAKE_MONOTONIC: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  });
  return set;
}

test.skipIf(LIBRARY === undefined)(
  "OP-84 after two days forward and back again what was spent, revoked or ended stays so, and users get in",
  async () => {
    const single = await newSingle("sqlite", { GATEHOUSE_JOB_LEASE_SECONDS: "5" });
    const setClock = await startWithClock(single);
    const { issuer } = single;
    const { client, ledger, people, stories } = await startTraffic({ ...single, ports: [single.port] });
    try {
      const wheel = startWheel(stories, 60);
      await pause(SECONDS * 1_000);
      await wheel.stop();
      await people.stop();
      expect(ledger.violations).toEqual([]);

      progress(ID, "two days forward");
      await setClock("+2d");
      const isActive = async (token: string) => {
        const reply = await client.send(introspectionOf(token));
        return "text" in reply && (JSON.parse(reply.text) as { active?: boolean }).active;
      };
      const [old = ""] = ledger.live;
      const [dead = ""] = ledger.dead;
      expect(await isActive(old)).toBe(false); // it lasted a day
      const young = await accessToken(client);
      expect(await isActive(young)).toBe(true);
      const guess = (password: string) => signIn(issuer, USERS[0] ?? "", password);
      for (let attempt = 0; attempt < 12; attempt++) await guess("a wrong password");

      progress(ID, "an hour back");
      await setClock("-1h");
      expect(await isActive(dead)).toBe(false);
      expect(await isActive(await accessToken(client))).toBe(true);
      // Providers' signatures are as old as the server's clock says, so events wait for the right time.
      const spent = await verifySpent(client, { ...ledger, chains: [], events: [] });
      figures.add({
        what: "revived by a clock that went back",
        value: spent.length,
        limit: "0",
        isMet: spent.length === 0,
      });
      expect(spent).toEqual([]);
      // What was counted in the future must not hold for two days.
      await expect.poll(() => guess(PASSWORD), { timeout: 30_000, interval: 1_000 }).toBe(200);
      await setClock("+0");
      expect(await verifySpent(client, { ...newLedger(), events: ledger.events })).toEqual([]);
      await expectLeasesInReach(single);
      expect(single.server().child.exitCode).toBeNull();
    } finally {
      client.close();
      await single.remove();
    }
  },
);

test.skipIf(LIBRARY === undefined)(
  "OP-84 while the clock goes 5 s back and forth nobody gets an error, and nothing is spent twice",
  async () => {
    const single = await newSingle("sqlite");
    const setClock = await startWithClock(single);
    const { client, ledger, asking, people, stories } = await startTraffic({ ...single, ports: [single.port] });
    try {
      const { assertion: _, ...others } = stories; // a client whose clock is not the server's
      const wheel = startWheel({ ...others, assertion: stories["clientCredentials"] ?? (async () => {}) }, 60);
      const until = performance.now() + SECONDS * 1_000;
      for (let jump = 0; performance.now() < until; jump++) {
        await setClock(jump % 2 === 0 ? "+5" : "-5");
        await pause(200);
      }
      await setClock("+0");
      await wheel.stop();
      await people.stop();
      figures.add({ what: "requests while the clock jumped", value: asking.outcomes.length });
      figures.add({
        what: "of them failed",
        value: failuresIn(asking.outcomes).length,
        limit: "0",
        isMet: failuresIn(asking.outcomes).length === 0,
      });
      expect(ledger.violations).toEqual([]);
      expect(failuresIn(asking.outcomes)).toEqual([]);
      expect(countOf(asking.outcomes, "answered")).toBeGreaterThan(SECONDS * 20);
      expect(await verifySpent(client, ledger)).toEqual([]);
    } finally {
      client.close();
      await single.remove();
    }
  },
);

/** The status of the page after a sign-in. */
async function signIn(issuer: string, name: string, password: string): Promise<number> {
  const agent = newAgent(issuer);
  const page = await agent.open("/sign-in");
  const fields = { Email: emailOf(name), Password: password };
  return (await agent.submit(page, { fields, button: "Sign in" })).status;
}

/** No lease ends in the far future, or nobody would do its task until then. */
async function expectLeasesInReach({ env }: Single): Promise<void> {
  const { db, close } = await openDatabase(env["DATABASE_URL"] ?? "");
  try {
    const far = async () => {
      const now = Date.now() / 1_000;
      const leases = await db.select().from(db.tables.leases);
      return leases.filter(({ until }) => until > now + 86_400).map(({ name }) => name);
    };
    await expect.poll(far, { timeout: 60_000, interval: 1_000 }).toEqual([]);
  } finally {
    await close();
  }
}
