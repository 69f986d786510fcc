import { openDatabase } from "@gatehouse/db/database";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { authorizePath, callApi, obtainTokens, postAs, refresh, signIn, tokensOf } from "../harness/flow.ts";
import { startWeb } from "../harness/gatehouse.ts";
import { type Answer, json, postForm, send } from "../harness/http.ts";
import { type Installation, newInstallation } from "../harness/installation.ts";
import { type CutableDatabase, openCutableDatabase } from "../harness/outages.ts";
import type { Running } from "../harness/processes.ts";

// While the database is unavailable, callers get 503 with Retry-After in each endpoint's format, never 500. What
// becomes of connections and transactions when a server restarts is held by packages/db/src/postgres/outage.test.ts.

const { web, service } = CLIENTS;
const grant = { grant_type: "client_credentials" };

function expectRetryLater(answer: Answer): void {
  expect([answer.url, answer.status]).toEqual([answer.url, 503]);
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(2);
  expect(seconds).toBeLessThanOrEqual(10);
}

describe("PostgreSQL that is down", () => {
  let own: Installation;
  let database: CutableDatabase;
  let issuer: string;
  let server: Running;
  let ada: Agent;
  let tokens: { access: string; refresh: string };

  beforeAll(async () => {
    own = await newInstallation("postgres");
    issuer = own.issuer;
    database = await openCutableDatabase(own.env["DATABASE_URL"] ?? "");
    server = await startWeb({ ...own.env, DATABASE_URL: database.url }, own.port);
    ada = await signIn(issuer, "races");
    tokens = await obtainTokens(ada, web);
    await database.cut();
  });
  afterEach(() => expect(server.child.exitCode, server.output()).toBeNull());
  afterAll(async () => {
    await server?.crash();
    await database?.close();
    await own?.remove();
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

  test("OP-70 /healthz does not ask the database", async () => {
    expect((await send(issuer, "/healthz")).status).toBe(200);
  });

  test("OP-71 the server stays ready, so that a balancer keeps passing on its 503; with ?db=1 it does not", async () => {
    expect((await send(issuer, "/readyz")).status).toBe(200);
    expect((await send(issuer, "/readyz?db=1")).status).toBe(503);
  });

  test("OP-28 when it is back, the same server continues with the committed data", async () => {
    await database.restore();
    await expect.poll(async () => (await send(issuer, "/readyz?db=1")).status).toBe(200);
    expect((await callApi(issuer, tokens.access)).status).toBe(200);
    const renewed = await refresh(issuer, web, tokens.refresh);
    expect([renewed.status, tokensOf(renewed).refresh]).not.toEqual([200, tokens.refresh]);
    expect((await postAs(issuer, "/token", service, grant)).status).toBe(200);
    expect((await ada.request("/account")).status).toBe(200);
  });
});

describe("SQLite whose write lock another process holds", () => {
  let own: Installation;
  let issuer: string;
  let server: Running;
  let access: string;

  beforeAll(async () => {
    own = await newInstallation("sqlite");
    issuer = own.issuer;
    server = await startWeb(own.env, own.port);
    await send(issuer, "/.well-known/jwks.json"); // makes the signing keys, the first time
    access = String(json(await postAs(issuer, "/token", service, { ...grant, scope: "api:read" }))["access_token"]);
  });
  afterAll(async () => {
    await server?.crash();
    await own?.remove();
  });

  async function hold(): Promise<() => void> {
    const { engine } = await openDatabase(own.env["DATABASE_URL"] ?? "");
    if (engine.dialect !== "sqlite") throw new Error("expected SQLite");
    engine.connection.exec("BEGIN IMMEDIATE");
    return () => engine.connection.close();
  }

  test("OP-50 briefly: reads continue, writes wait", async () => {
    const release = await hold();
    const order: string[] = [];
    const writes = Array.from({ length: 5 }, () =>
      postAs(issuer, "/token", service, grant).finally(() => order.push("write")),
    );
    const reads = Promise.all(Array.from({ length: 5 }, () => callApi(issuer, access))).finally(() =>
      order.push("reads"),
    );
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
