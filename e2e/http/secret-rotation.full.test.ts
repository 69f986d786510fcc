import { createHmac, hkdfSync } from "node:crypto";
import { keyIdOf } from "@gatehouse/auth";
import { describe, expect, onTestFinished, test } from "vitest";
import { startBalancer } from "../harness/balancer.ts";
import { terminate } from "../harness/busy-clients.ts";
import { CLIENTS, WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { callApi, obtainTokens, postAs, refresh, signIn, tokensOf } from "../harness/flow.ts";
import { gatehouse, gatehouseText, startWeb } from "../harness/gatehouse.ts";
import { send } from "../harness/http.ts";
import { type Installation, newInstallation } from "../harness/installation.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { SETTINGS } from "../harness/servers.ts";

// The rules are tested in packages/installation/src/seal; this is the whole rotation, under load.

const [OLD, NEW] = [SETTINGS.GATEHOUSE_SECRET, "the-new-secret-of-the-tests-of-43-characters"];
const BOTH = { GATEHOUSE_SECRET: OLD, GATEHOUSE_SECRET_PREVIOUS: NEW };
const SWITCHED = { GATEHOUSE_SECRET: NEW, GATEHOUSE_SECRET_PREVIOUS: OLD };
const DONE = { GATEHOUSE_SECRET: NEW };

/** The console's client secret for this GATEHOUSE_SECRET. */
const consoleClient = (secret: string) => ({
  client_id: "gatehouse-console",
  client_secret: `gcs_${Buffer.from(hkdfSync("sha256", secret, "", "console client secret", 32)).toString("base64url")}`,
});

describe.each(["sqlite", "postgres"] as const)("OP-15 a rotation of the secret, on %s", (engine) => {
  test("two servers are restarted three times under load: no request fails, and the old secret opens nothing afterwards", async () => {
    const installation = await newInstallation(engine, { GATEHOUSE_DRAIN_SECONDS: "1" });
    const { issuer, port, env } = installation;
    const ports = [await freePort(), await freePort()];
    const servers = await Promise.all(ports.map((at) => startWeb(env, at)));
    const balancer = await startBalancer(port, ports);
    const load = startLoad(issuer);
    onTestFinished(async () => {
      await load.end();
      await balancer.close();
      await Promise.all(servers.map((server) => server.crash()));
      await installation.remove();
    });

    const restartEach = async (settings: Record<string, string>) => {
      for (const [at, web] of ports.entries()) {
        await load.another(10);
        const before = servers[at] as Running;
        expect((await terminate(before)).code).toBe(0);
        servers[at] = await startWeb({ ...env, ...settings }, web);
      }
    };
    await restartEach(BOTH);
    const early = gatehouseText(["seal", "rewrap"], { ...env, ...SWITCHED });
    await expect(early).rejects.toMatchObject({ stderr: expect.stringContaining("knows it, but seals with") });
    await restartEach(SWITCHED);
    await load.another(10);
    const rewrapped = await gatehouse(["seal", "rewrap"], { ...env, ...SWITCHED });
    expect(rewrapped).toMatchObject({ key_id: keyIdOf(NEW), unreadable: {}, released: [keyIdOf(OLD)] });
    await restartEach(DONE);
    await load.another(20);
    expect(await load.end()).toEqual([]);

    await expectOldIsDead(installation);
    expect(await gatehouse(["audit", "verify"], { ...env, ...DONE })).toMatchObject({ state: "intact" });
    for (const server of servers) expect(server.output()).not.toMatch(/"level":[56]0/);
  }, 240_000);
});

/** Users who sign in, grant and refresh, and a provider of webhooks: each story again and again until the end. */
function startLoad(issuer: string) {
  const failures: unknown[] = [];
  let [done, ended] = [0, false];
  const repeat = async (story: () => Promise<void>) => {
    while (!ended) {
      await story().catch((error: unknown) => failures.push(String(error)));
      done += 1;
    }
  };

  async function signInAndGrant() {
    const agent = await signIn(issuer, "refresh");
    const { access } = await obtainTokens(agent, CLIENTS.web, { scope: "openid api:read offline_access" });
    expectStatus("the API", 200, (await callApi(issuer, access)).status);
  }

  async function keepRefreshing() {
    const agent = await signIn(issuer, "refresh");
    let tokens = await obtainTokens(agent, CLIENTS.web, { scope: "openid api:read offline_access" });
    for (let turn = 0; turn < 20 && !ended; turn++) {
      const answer = await refresh(issuer, CLIENTS.web, tokens.refresh);
      expectStatus("a refresh", 200, answer.status);
      // Its answer was lost: the same token again, at the other server.
      const again = await refresh(issuer, CLIENTS.web, tokens.refresh);
      expectStatus("a repeated refresh", 200, again.status);
      tokens = tokensOf(again);
    }
  }

  async function deliver() {
    const body = JSON.stringify({ id: `evt_${Math.random()}`, type: "invoice.paid" });
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac("sha256", WEBHOOK_SECRETS.stripe).update(`${t}.${body}`).digest("hex");
    const headers = { "content-type": "application/json", "stripe-signature": `t=${t},v1=${v1}` };
    const answer = await send(issuer, "/api/webhooks/stripe", { method: "POST", headers, body });
    expectStatus("a delivery", 200, answer.status);
  }

  const stories = [signInAndGrant, keepRefreshing, deliver].map(repeat);
  return {
    async another(count: number) {
      const from = done;
      while (done < from + count) await new Promise((later) => setTimeout(later, 20));
    },
    async end() {
      ended = true;
      await Promise.all(stories);
      return failures;
    },
  };
}

function expectStatus(what: string, wanted: number, status: number): void {
  if (status !== wanted) throw new Error(`${what}: ${status}`);
}

async function expectOldIsDead({ issuer, env }: Installation) {
  const asConsole = (secret: string) => postAs(issuer, "/revoke", consoleClient(secret), { token: "x" });
  expect([(await asConsole(NEW)).status, (await asConsole(OLD)).status]).toEqual([200, 401]);
  const refused = startWeb({ ...env, GATEHOUSE_SECRET: OLD }, await freePort());
  await expect(refused).rejects.toThrow(/ended with 78.*another GATEHOUSE_SECRET/s);
  const status = await gatehouse(["seal", "status"], { ...env, ...DONE });
  expect(status).toMatchObject({ in_force: true, keys: [{ key_id: keyIdOf(NEW), state: "current" }] });
}
