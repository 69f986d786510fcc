import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { neededFixture, useEverything } from "../harness/black-box.ts";
import { type Databases, openDatabases } from "../harness/databases.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { postAs } from "../harness/flow.ts";
import { send, trust } from "../harness/http.ts";
import { freePort, type Running, untilReady } from "../harness/processes.ts";
import { HOST, isInstalled, PROXIES, startProxy } from "../harness/proxies.ts";
import { makeReleases, type Releases, runRelease, startRelease } from "../harness/releases.ts";
import { SETTINGS } from "../harness/servers.ts";

// An upgrade without a pause, and the way back: one server after the other, behind a proxy that takes turns.

const BUILD_WITHIN_MS = 1_500_000;
/** The proxy asks every two seconds, and takes a server after the first answer. */
const NOTICED_MS = 4_500;
const haproxy = PROXIES["haproxy"];

describe.skipIf(!haproxy || !isInstalled(haproxy))("two releases behind one HAProxy", () => {
  let work: string;
  let releases: Releases;
  let databases: Databases;
  let env: Record<string, string>;
  let issuer: string;
  let ports: [number, number];
  let servers: [Running, Running];
  let proxy: Running;

  beforeAll(async () => {
    if (!haproxy) return;
    work = await mkdtemp(join(tmpdir(), "gatehouse-releases-"));
    releases = await makeReleases(work);
    databases = await openDatabases();
    const [https = 0, http = 0, one = 0, two = 0] = await Promise.all(Array.from({ length: 4 }, freePort));
    ports = [one, two];
    issuer = `https://${HOST}:${https}`;
    env = {
      ...SETTINGS,
      GATEHOUSE_ISSUER: issuer,
      GATEHOUSE_DATA_DIR: join(work, "data"),
      DATABASE_URL: await databases.create("postgres", work, []),
      GATEHOUSE_DRAIN_SECONDS: "5",
      GATEHOUSE_EMAIL_SIGN_IN: "off", // needs mail where the issuer is https
      HOST: "127.0.0.1",
    };
    await writeFile(join(work, "fixture.json"), JSON.stringify(neededFixture()));
    await runRelease(releases.older, ["migrate"], env);
    await runRelease(releases.older, ["bootstrap"], env);
    await runRelease(releases.older, ["apply", join(work, "fixture.json")], env);
    servers = [await started(releases.older, one), await started(releases.older, two)];
    const place = { work, https, http, servers: ports, console: one };
    proxy = await startProxy(haproxy, place);
    trust(await readFile(haproxy.authority(place), "utf8"));
    await vi.waitFor(async () => expect((await send(issuer, "/readyz")).status).toBe(200), { timeout: 30_000 });
  }, BUILD_WITHIN_MS);
  afterAll(async () => {
    await Promise.all([...(servers ?? []), proxy].map((one) => one?.crash()));
    await databases?.close();
    if (work) await rm(work, { recursive: true, force: true });
  });

  async function started(release: string, port: number): Promise<Running> {
    const server = startRelease(release, env, port);
    await untilReady(`http://127.0.0.1:${port}/readyz`, server);
    return server;
  }

  /** One server stops as a restart stops it, and another program takes its place. */
  async function replace(at: 0 | 1, release: string): Promise<void> {
    const gone = new Promise((resolve) => servers[at].child.once("exit", resolve));
    servers[at].child.kill("SIGTERM");
    expect(await gone).toBe(0);
    servers[at] = await started(release, ports[at]);
    await pause(NOTICED_MS); // until the proxy may lose the other one
  }

  /** Clients that never pause; the failures that they have seen until they end. */
  function startClients() {
    const failures: unknown[] = [];
    let [ended, rounds] = [false, 0];
    const token = async () => {
      const { status } = await postAs(issuer, "/token", CLIENTS.service, { grant_type: "client_credentials" });
      if (status !== 200) throw new Error(`/token answered ${status}`);
    };
    const everything = async () => {
      await useEverything(issuer, "token");
      rounds += 1;
    };
    const clients = [token, token, everything].map(async (work) => {
      while (!ended) await work().catch((error: unknown) => failures.push(String(error)));
    });
    return {
      /** Waits for `count` more rounds of everything. */
      rounds: (count: number) => {
        const before = rounds;
        return expect.poll(() => rounds - before + failures.length, { timeout: 120_000 }).toBeGreaterThanOrEqual(count);
      },
      async end() {
        ended = true;
        await Promise.all(clients);
        return failures;
      },
    };
  }

  test("OP-60 OP-65 OP-66 no request fails while the schema grows, over the upgrade, and one release back", async () => {
    const clients = startClients();
    await clients.rounds(1);
    await runRelease(releases.newer, ["migrate"], env); // both servers are of the older release
    await clients.rounds(2);
    await replace(1, releases.newer);
    await clients.rounds(6); // sessions, codes, tokens and forms of one come to the other
    await replace(0, releases.newer);
    await clients.rounds(2);
    await replace(1, releases.older); // it knows nothing of the last migration
    await clients.rounds(6);
    await replace(0, releases.older);
    await clients.rounds(2);
    expect([releases.olderIs, await clients.end()]).toEqual([releases.olderIs, []]);
  }, 600_000);

  test("OP-62 the older release says that the schema is newer, and that it can run on it", async () => {
    const status = await runRelease(releases.older, ["migrate", "status"], env);
    expect(status).toMatch(/newer than this version, which can run on it|has this version's schema/);
  });
});
