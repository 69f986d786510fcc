import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS, fixture, MAIL, STOCK } from "../harness/fixture.ts";
import {
  authorizePath,
  callApi,
  callback,
  obtainTokens,
  postAs,
  refresh,
  refusal,
  serviceToken,
  signIn,
} from "../harness/flow.ts";
import { apply, type Gatehouse, startGatehouse, startWeb } from "../harness/gatehouse.ts";
import { json, send } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";

// Two servers on one database: one accepts every environment, the default on loopback, the other production only.
const { localWeb, web, resourceServer, stockServer, service } = CLIENTS;
const SECRET = "only-for-tests-0123456789-0123456789";

/** A developer's client that an admin gave two APIs. */
const mailer = {
  client_id: "mailer",
  client_secret: SECRET,
  redirect_uris: ["http://localhost:4000/cb"],
  type: "web",
  grant_types: ["authorization_code", "refresh_token", "client_credentials"],
  scopes: ["offline_access", "api:read", "stock:read", "mail:send"],
  resources: [STOCK.id, MAIL.id],
};

let own: Gatehouse;
let issuer = "";
let strict = "";
let strictServer: Running;
let env: Agent;
let admin = "";
let developer = "";

beforeAll(async () => {
  const more = { applications: [{ name: "Mailer", environments: { development: mailer } }] };
  own = await startGatehouse({ engine: "sqlite", fixture: fixture(), more });
  issuer = own.issuer;
  const port = await freePort();
  strict = `http://localhost:${port}`;
  strictServer = await startWeb(
    { ...own.env, GATEHOUSE_ISSUER: strict, GATEHOUSE_API_ENVIRONMENTS: "production" },
    port,
  );
  env = await signIn(issuer, "environments");
  [admin, developer] = [await consoleToken(issuer, "admin"), await consoleToken(issuer, "developer")];
});
afterAll(async () => {
  await strictServer?.stop();
  await own?.stop();
});

const introspect = async (at: string, client: Parameters<typeof postAs>[2], token: string) =>
  json(await postAs(at, "/introspect", client, { token }));
const register = (manifest: object) => apply(manifest, own.env["GATEHOUSE_DATA_DIR"] ?? "", own.env);
/** Sets the environments that both APIs admit; the default if omitted. */
const admit = (change: { environments?: string[] } = {}) =>
  register({
    resources: [
      { ...STOCK, ...change },
      { ...MAIL, ...change },
    ],
  });

describe("D11 D22 a developer cannot mint tokens for an API alone", () => {
  test("their client does not get an admin's API", async () => {
    const { id } = dataOf<{ id: string }>(await mutate(issuer, "applications.create", { name: "Mine" }, developer));
    const draft = {
      applicationId: id,
      environment: "development",
      type: "service",
      redirectUris: [],
      grantTypes: ["client_credentials"],
      scopes: ["mail:send"],
      options: { resources: [MAIL.id] },
    };
    expect((await mutate(issuer, "clients.register", draft, developer)).status).toBe(403);
    const plain = { ...draft, scopes: ["api:read"], options: {} };
    const { client } = dataOf<{ client: { clientId: string } }>(
      await mutate(issuer, "clients.register", plain, developer),
    );
    const { applicationId: _, environment: _e, type: _t, ...wanted } = draft;
    expect((await mutate(issuer, "clients.update", { ...wanted, clientId: client.clientId }, developer)).status).toBe(
      403,
    );
  });

  test("a client that has the API gets no new secret, key, redirect URI or promotion from them", async () => {
    const clientId = "mailer";
    const { applicationId, ...known } = dataOf<{
      applicationId: string;
      redirectUris: string[];
      grantTypes: string[];
      scopes: string[];
      options: object;
    }>(await query(issuer, "clients.get", { clientId }, developer));
    const { grantTypes, scopes, redirectUris } = known;
    const settings = { grantTypes, scopes, redirectUris };
    const uris = { redirectUris: [...known.redirectUris, "http://localhost:6666/mine"] };
    const keys = {
      options: { ...known.options, authentication: "private_key_jwt", jwksUri: "https://mine.example/jwks" },
    };
    const promotion = { applicationId, from: "development", to: "staging", redirectUris: ["https://mine.example/cb"] };
    for (const [procedure, input] of [
      ["clients.addSecret", { clientId }],
      ["clients.update", { ...settings, ...uris, clientId }],
      ["clients.update", { ...settings, ...keys, clientId }],
      ["clients.promote", promotion],
    ] as const) {
      const answer = await mutate(issuer, procedure, input, developer);
      expect([answer.status, answer.text.includes("Only admins")], procedure).toEqual([403, true]);
    }
  });

  test("an API that admits production only rejects clients of other environments, earlier ones included", async () => {
    const asked = { grant_type: "client_credentials", resource: MAIL.id, scope: "mail:send" };
    expect(decodeJwt(await serviceToken(issuer, mailer, asked))).toMatchObject({
      aud: MAIL.id,
      environment: "development",
    });
    const tokens = await obtainTokens(env, mailer, { scope: "offline_access stock:read", resource: STOCK.id });
    expect(await introspect(issuer, stockServer, tokens.access)).toMatchObject({
      active: true,
      environment: "development",
    });

    await admit({ environments: ["production"] });
    await expect
      .poll(() => introspect(issuer, stockServer, tokens.access), { timeout: 20_000 })
      .toEqual({ active: false });
    expect(refusal(await postAs(issuer, "/token", mailer, asked))).toEqual([400, "invalid_target"]);
    expect(refusal(await refresh(issuer, mailer, tokens.refresh))).toEqual([400, "invalid_target"]);
    expect(
      refusal(await postAs(issuer, "/par", mailer, { ...paramsOf(authorizePath(mailer, { resource: MAIL.id })) })),
    ).toEqual([400, "invalid_target"]);
    const sentBack = callback(
      await env.open(authorizePath(mailer, { scope: "stock:read", resource: STOCK.id })),
    ).params;
    expect([sentBack.get("error"), sentBack.get("code")]).toEqual(["invalid_target", null]);
    const draft = {
      environment: "staging",
      type: "service",
      redirectUris: [],
      grantTypes: ["client_credentials"],
      scopes: ["mail:send"],
    };
    const { applicationId } = dataOf<{ applicationId: string }>(
      await query(issuer, "clients.get", { clientId: "mailer" }, admin),
    );
    const refused = await mutate(
      issuer,
      "clients.register",
      { ...draft, applicationId, options: { resources: [MAIL.id] } },
      admin,
    );
    expect([refused.status, refused.text.includes("not of staging")]).toEqual([400, true]);

    await admit();
    await expect
      .poll(() => introspect(issuer, stockServer, tokens.access), { timeout: 20_000 })
      .toMatchObject({ active: true });
  });
});

const paramsOf = (path: string) => Object.fromEntries(new URL(path, issuer).searchParams);

describe("D22 GATEHOUSE_API_ENVIRONMENTS", () => {
  const opened = async (at: string, token: string) => {
    const me = await query(at, "me.get", undefined, token);
    return [(await callApi(at, token)).status, me.status];
  };

  test("on loopback the built-in API accepts every environment and returns that of the token", async () => {
    const { access } = await obtainTokens(env, localWeb);
    expect(await opened(issuer, access)).toEqual([200, 200]);
    expect(json(await callApi(issuer, access))).toMatchObject({ environment: "development" });
  });

  test("a token of an unlisted environment is rejected by the API and /trpc, and inactive for the resource server", async () => {
    const person = await signIn(strict, "environments");
    const { access } = await obtainTokens(person, localWeb, { scope: "openid offline_access api:read" });
    expect(await opened(strict, access)).toEqual([401, 401]);
    expect(refusal(await callApi(strict, access))).toEqual([401, "invalid_token"]);
    expect((await callApi(strict, access)).headers.get("gatehouse-error-id")).toMatch(/^\w+$/);
    expect(await introspect(strict, resourceServer, access)).toEqual({ active: false });
    expect(await introspect(strict, localWeb, access)).toMatchObject({ active: true, environment: "development" });
    const userinfo = await send(strict, "/userinfo", { headers: { authorization: `Bearer ${access}` } });
    expect(userinfo.status).toBe(200);

    const production = await obtainTokens(person, web);
    expect(await opened(strict, production.access)).toEqual([200, 200]);
    expect(await introspect(strict, resourceServer, production.access)).toMatchObject({
      active: true,
      environment: "production",
    });
    expect(await introspect(strict, resourceServer, await serviceToken(strict, service))).toMatchObject({
      active: true,
    });
  });

  test("the start logs each client that can never be accepted, and the console's client is not among them", async () => {
    await expect
      .poll(() => strictServer.output(), { timeout: 20_000 })
      .toContain("Application local-web (local-web) can never be accepted");
    expect(strictServer.output()).not.toContain("Application web (web)");
    expect(strictServer.output()).not.toContain("gatehouse-console");
    const console = dataOf<{ environment: string }>(
      await query(issuer, "clients.get", { clientId: "gatehouse-console" }, admin),
    );
    expect(console.environment).toBe("production");
  });
});
