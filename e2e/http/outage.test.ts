import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@gatehouse/db";
import { type PostgresServer, startPostgresServer } from "@gatehouse/db/testing/postgres";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import { authorizePath, callApi, obtainTokens, postAs, refresh, signIn, tokensOf } from "../harness/flow.ts";
import { apply, startWeb } from "../harness/gatehouse.ts";
import { type Answer, json, postForm, send } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";

// While the database is unavailable, callers get 503 with Retry-After in each endpoint's format, never 500.

const { web, service } = CLIENTS;
const grant = { grant_type: "client_credentials" };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-outage-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function start(databaseUrl: string): Promise<{ issuer: string; server: Running }> {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const env = { ...inject("env"), GATEHOUSE_ISSUER: issuer, GATEHOUSE_DATA_DIR: folder, DATABASE_URL: databaseUrl };
  await apply(fixture(), folder, env);
  return { issuer, server: await startWeb(env, port) };
}

function expectRetryLater(answer: Answer): void {
  expect([answer.url, answer.status]).toEqual([answer.url, 503]);
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(2);
  expect(seconds).toBeLessThanOrEqual(10);
}

describe("PostgreSQL that is down", () => {
  let postgres: PostgresServer;
  let issuer: string;
  let server: Running;
  let ada: Agent;
  let tokens: { access: string; refresh: string };

  beforeAll(async () => {
    postgres = await startPostgresServer();
    ({ issuer, server } = await start(`${postgres.url}/postgres`));
    ada = await signIn(issuer, "races");
    tokens = await obtainTokens(ada, web);
    await postgres.shutDown();
  });
  afterEach(() => expect(server.child.exitCode, server.output()).toBeNull());
  afterAll(async () => {
    await server.stop();
    await postgres.stop();
  });

  test("OP-30 clients get 503 with Retry-After, in each endpoint's format", async () => {
    const token = await postAs(issuer, "/token", service, grant);
    const answers = [
      token,
      await refresh(issuer, web, tokens.refresh),
      await postAs(issuer, "/introspect", service, { token: tokens.access }),
      await postAs(issuer, "/revoke", web, { token: tokens.access }),
      await postForm(issuer, "/device_authorization", { client_id: CLIENTS.device.client_id }),
      await send(issuer, "/userinfo", { headers: { authorization: `Bearer ${tokens.access}` } }),
      await callApi(issuer, tokens.access),
      await ada.request("/api/protected/me"),
    ];
    for (const answer of answers) {
      expectRetryLater(answer);
      expect(json(answer)["error"]).toBe("temporarily_unavailable");
    }
    expect(token.text).not.toMatch(/postgres|ECONNREFUSED|127\.0\.0\.1/i);

    const procedure = await send(issuer, "/trpc/me.get", { headers: { authorization: `Bearer ${tokens.access}` } });
    expectRetryLater(procedure);
    expect(json(procedure)).toMatchObject({ error: { data: { code: "SERVICE_UNAVAILABLE" } } });

    const headers = { "content-type": "application/json", "stripe-signature": `t=1,v1=${"0".repeat(64)}` };
    expectRetryLater(await send(issuer, "/api/webhooks/stripe", { method: "POST", headers, body: "{}" }));
  });

  test("OP-30 users get an error page", async () => {
    for (const path of ["/account", authorizePath(web)]) {
      const answer = await ada.request(path);
      expectRetryLater(answer);
      expect(answer.headers.get("content-type")).toContain("text/html");
      expect(answer.text).toContain("Try again in a moment");
    }
  });

  test("OP-28 when it is back, the same server continues with the committed data", async () => {
    await postgres.start();
    await expect.poll(async () => (await send(issuer, "/readyz")).status).toBe(200);
    expect((await callApi(issuer, tokens.access)).status).toBe(200);
    const renewed = await refresh(issuer, web, tokens.refresh);
    expect([renewed.status, tokensOf(renewed).refresh]).not.toEqual([200, tokens.refresh]);
    expect((await postAs(issuer, "/token", service, grant)).status).toBe(200);
    expect((await ada.request("/account")).status).toBe(200);
  });
});

describe("SQLite whose write lock another process holds", () => {
  let issuer: string;
  let server: Running;
  let url: string;
  let access: string;

  beforeAll(async () => {
    url = `file:${join(folder, "locked.db")}`;
    ({ issuer, server } = await start(url));
    await send(issuer, "/.well-known/jwks.json"); // makes the signing keys, the first time
    access = String(json(await postAs(issuer, "/token", service, { ...grant, scope: "api:read" }))["access_token"]);
  });
  afterAll(() => server.stop());

  async function hold(): Promise<() => void> {
    const { engine } = await openDatabase(url);
    if (engine.dialect !== "sqlite") throw new Error("expected SQLite");
    engine.connection.exec("BEGIN IMMEDIATE");
    return () => engine.connection.close();
  }

  test("OP-50 briefly: reads continue, writes wait", async () => {
    const release = await hold();
    const order: string[] = [];
    const writes = Array.from({ length: 5 }, () => postAs(issuer, "/token", service, grant).finally(() => order.push("write")));
    const reads = Promise.all(Array.from({ length: 5 }, () => callApi(issuer, access))).finally(() => order.push("reads"));
    for (const answer of await reads) expect(answer.status).toBe(200);
    release();
    for (const answer of await Promise.all(writes)) expect(answer.status).toBe(200);
    expect(order[0]).toBe("reads");
  });

  test("OP-30 for longer: writes get 503 with Retry-After, reads continue", async () => {
    const release = await hold();
    const answers = await Promise.all(Array.from({ length: 5 }, () => postAs(issuer, "/token", service, grant)));
    for (const answer of answers) {
      expectRetryLater(answer);
      expect(json(answer)["error"]).toBe("temporarily_unavailable");
    }
    expect((await callApi(issuer, access)).status).toBe(200);
    expect((await send(issuer, "/.well-known/jwks.json")).status).toBe(200);
    release();
    expect((await postAs(issuer, "/token", service, grant)).status).toBe(200);
  });
});
