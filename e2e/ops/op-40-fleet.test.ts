// OP-40: a fleet behind HAProxy loses processes, its database, its network and its disk, and nothing that it acknowledged
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectHandledOnce } from "../harness/acknowledged.ts";
import { DISK_FULL, FAULTS, type Fault } from "./fleet/faults.ts";
import { type Fleet, startFleet } from "./fleet/fleet.ts";
import { postgresPrograms } from "./fleet/postgres.ts";
import { type Figures, LONG, missingPackages, openFigures, progress } from "./form.ts";
import { between, countOf, failuresIn, quantile } from "./traffic/outcomes.ts";
import { startTraffic, type Traffic } from "./traffic/start.ts";
import { type Mark, NOTHING, verifySince, verifySpent } from "./traffic/verify.ts";
import { startWheel, type Wheel } from "./traffic/wheel.ts";

const ID = "OP-40";
const SECONDS = LONG ? 60 : 6;
/** After a fault everything is normal again within this time. */
const RECOVERY_MS = 5_000;
/** A fleet that has just started, on a busy machine, may need a while. */
const MOST_TRIES = 6;
const NORMAL_MS = LONG ? 15_000 : 5_000;
/** Of all faults the short form takes those that need the least time. */
const SHORT = /fast restart|promoted/;
const chosen = FAULTS.filter(({ name }) => LONG || SHORT.test(name)).map((fault) => [fault.name, fault] as const);
/** An event whose handler failed three times is handled again after five minutes. */
const HANDLED_SECONDS = 900;
const DISK_MIB = 320;
/** Clients at several addresses of this machine. */
const ADDRESSES = Array.from({ length: 16 }, (_, at) => `127.0.0.${at + 10}`);

const figures = openFigures(ID);
const missing = [...missingPackages({ haproxy: "haproxy" }), ...(postgresPrograms() ? [] : ["postgresql-15"])];
if (missing.length > 0) figures.skip(`install the Debian packages ${missing.join(", ")}`);
const mayMount = process.getuid?.() === 0;

type Scene = Omit<Traffic, "stories"> & { fleet: Fleet; wheel: Wheel; mark: Mark };

async function startScene(dataFolder?: string): Promise<Scene> {
  progress(ID, "starts PostgreSQL with a standby, two servers of two processes, and HAProxy");
  const fleet = await startFleet(dataFolder);
  const { issuer, ca } = fleet.balancer;
  const { stories, ...traffic } = await startTraffic({ ...fleet, issuer }, { ca, addresses: ADDRESSES });
  return { ...traffic, fleet, wheel: startWheel(stories), mark: NOTHING };
}

async function endScene({ fleet, client, people, wheel }: Scene): Promise<void> {
  await wheel.stop();
  await people.stop();
  client.close();
  await fleet.close();
}

/** Causes a fault under load; fails if more went wrong than it allows, or for longer. */
async function suffer(scene: Scene, { name, breaksConnections, cause }: Fault, report: Figures): Promise<void> {
  const { fleet, asking, client } = scene;
  const { outcomes, ledger } = asking;
  const normal = async () => {
    const from = performance.now();
    await pause(NORMAL_MS);
    // Those that began within this time have been answered, or are slow.
    const seen = between(outcomes, from, performance.now() - 1_000);
    return { seen, failed: failuresIn(seen) };
  };
  let before = await normal();
  for (let tries = 1; tries < MOST_TRIES && before.failed.length > 0; tries++) before = await normal();
  expect(before.failed, "not normal before the fault").toEqual([]);

  progress(ID, name);
  const from = performance.now();
  await cause(fleet, SECONDS);
  const to = performance.now();
  await pause(RECOVERY_MS);
  const after = await normal();
  const during = between(outcomes, from, to + RECOVERY_MS);
  const broken = countOf(during, "balancer", "reset");
  const last = during.filter(({ result }) => result !== "answered").at(-1);

  progress(ID, failuresIn(during).join("; ") || "nobody noticed");

  const figure = (what: string, value: number, rest: { unit?: string; limit?: string; isMet?: boolean } = {}) =>
    report.add({ what: `${name}: ${what}`, value, ...rest });
  figure("requests in the meantime", during.length);
  figure("503 with Retry-After", countOf(during, "unavailable"));
  figure("connections that broke", broken, {
    limit: breaksConnections ? "those of killed processes" : "0",
    isMet: breaksConnections || broken === 0,
  });
  const recovery = last === undefined ? 0 : Math.max(0, (last.at - to) / 1000);
  figure("normal after", recovery, { unit: "s", limit: "≤ 5 s", isMet: after.failed.length === 0 });
  figure(
    "p99 before",
    quantile(
      before.seen.map(({ ms }) => ms),
      0.99,
    ),
    { unit: "ms" },
  );
  figure(
    "p99 after",
    quantile(
      after.seen.map(({ ms }) => ms),
      0.99,
    ),
    { unit: "ms" },
  );

  expect(ledger.violations.splice(0)).toEqual([]);
  if (!breaksConnections) expect(failuresIn(during.filter(({ result }) => result !== "unavailable"))).toEqual([]);
  expect(after.failed, "not normal again within 5 s").toEqual([]);
  expect(after.seen.length).toBeGreaterThan(NORMAL_MS / 20);

  progress(ID, "compares the ledger");
  const { lost, mark } = await verifySince(client, fleet.databaseUrl(), ledger, scene.mark);
  scene.mark = mark;
  expect(lost).toEqual([]);
  if (fleet.standby() === undefined) await fleet.addStandby();
}

describe.skipIf(missing.length > 0)(
  "OP-40 nothing that a fleet acknowledged is lost, and nothing is spent twice",
  () => {
    let scene: Scene;
    beforeAll(async () => {
      scene = await startScene();
    });
    afterAll(() => scene && endScene(scene));

    test.each(chosen)("OP-40 %s", (_, fault) => suffer(scene, fault, figures));

    test("OP-40 after all of it what was spent is spent, and what was acknowledged works", async () => {
      progress(ID, "uses everything again that counts once");
      const { fleet, wheel, client, asking } = scene;
      await wheel.stop();
      const { ledger, outcomes } = asking;
      const seconds = ((outcomes.at(-1)?.at ?? 0) - (outcomes[0]?.at ?? 0)) / 1000;
      figures.add({ what: "requests in all", value: outcomes.length });
      figures.add({ what: "requests a second", value: outcomes.length / seconds });
      for (const [what, facts] of Object.entries(ledger)) figures.add({ what: `ledger: ${what}`, value: facts.length });
      const began = performance.now();
      await expectHandledOnce(fleet.databaseUrl(), ledger.events, HANDLED_SECONDS);
      figures.add({ what: "all events handled after", value: (performance.now() - began) / 1000, unit: "s" });
      const wrong = await verifySpent(client, ledger);
      figures.add({ what: "lost, or spent twice", value: wrong.length, limit: "0", isMet: wrong.length === 0 });
      expect(wrong).toEqual([]);
      expect(ledger.violations).toEqual([]);
    });
  },
);

describe.skipIf(missing.length > 0 || !LONG || !mayMount)("OP-40 a database on a small disk", () => {
  let scene: Scene;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-ops-disk-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MIB}m`, "tmpfs", folder]);
    scene = await startScene(folder);
  });
  afterAll(async () => {
    if (scene) await endScene(scene);
    execFileSync("umount", ["--lazy", folder]);
    await rm(folder, { recursive: true, force: true });
  });

  test("OP-40 when the disk is full nothing acknowledged is lost, and it goes on when there is room", async () => {
    await suffer(scene, DISK_FULL, figures);
    await scene.wheel.stop();
    expect(await verifySpent(scene.client, scene.asking.ledger)).toEqual([]);
  });
});
