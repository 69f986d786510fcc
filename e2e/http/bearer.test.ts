import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { callApi, obtainCode, obtainTokens, refusal, serviceToken, signIn } from "../harness/flow.ts";
import { type Answer, json, postForm, send } from "../harness/http.ts";

const issuer = inject("issuer");
const { web, service } = CLIENTS;
const metadata = `${issuer}/.well-known/oauth-protected-resource/api`;

let ida: Agent;
let access: string;
beforeAll(async () => {
  ida = await signIn(issuer, "bearer");
  ({ access } = await obtainTokens(ida, web));
});

const call = (headers: Record<string, string | string[]>, path = "/api/resource", method = "GET") =>
  send(issuer, path, { method, headers });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function challengeOf(answer: Answer): string {
  const challenge = answer.headers.get("www-authenticate") ?? "";
  expect(challenge).toMatch(/^Bearer /);
  // BR-08: each attribute once, values without quotes, backslashes or line breaks.
  const names = [...challenge.matchAll(/([a-z_]+)="[^"\\\r\n]*"/g)].map((found) => found[1]);
  expect(new Set(names).size).toBe(names.length);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("cache-control")).toContain("no-store");
  return challenge;
}

function expectUnauthenticated(answer: Answer): void {
  expect(answer.status).toBe(401);
  const challenge = challengeOf(answer);
  expect(challenge).toContain(`resource_metadata="${metadata}"`);
  expect(challenge).toContain('scope="api:read"');
  expect(challenge).not.toContain("error=");
}

describe("bearer tokens at the API", () => {
  test.each(["Bearer", "bearer", "BEARER", "bEaReR"])("BR-01 the scheme %s is accepted", async (scheme) => {
    const answer = await call({ authorization: `${scheme} ${access}` });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toMatch(/no-store|private/);
    expect(answer.headers.get("date")).toBeTruthy();
  });

  test("OI-05 the response has the user's address if the token has the scope email", async () => {
    const emailFor = async (scope: string) =>
      json(await callApi(issuer, (await obtainTokens(ida, web, { scope })).access))["email"];
    expect(await emailFor("openid offline_access api:read")).toBeNull();
    expect(await emailFor("openid email offline_access api:read")).toMatch(/@/);
  });

  test("BR-04 N36 no token", async () => expectUnauthenticated(await call({})));

  test("BR-02 N36 a token in the query is ignored", async () => {
    expectUnauthenticated(await call({}, `/api/resource?access_token=${access}`));
    expect((await call(bearer(access), "/api/resource?access_token=other")).status).toBe(200);
  });

  test("BR-03 N36 a token in a form body is ignored", async () => {
    const answer = await postForm(issuer, "/api/resource", { access_token: access });
    expect([401, 405]).toContain(answer.status);
  });

  test("BR-13 a session cookie is ignored", async () => {
    expectUnauthenticated(await ida.request("/api/resource"));
  });

  test.each<[string, () => Promise<string>]>([
    ["garbage", async () => "garbage"],
    ["a token with the right prefix", async () => "gat_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    ["4000 characters", async () => "x".repeat(4000)],
    ["an unsigned JWT", async () => "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."],
    ["BR-10 a refresh token", async () => (await obtainTokens(ida, web)).refresh],
    ["BR-10 a code", async () => (await obtainCode(ida, web)).code],
  ])("N37 BR-05 %s is an invalid token", async (_, token) => {
    const answer = await callApi(issuer, await token());
    expect(refusal(answer)).toEqual([401, "invalid_token"]);
    const challenge = challengeOf(answer);
    expect(challenge).toContain('error="invalid_token"');
    expect(challenge).toContain(`resource_metadata="${metadata}"`);
  });

  test("BR-09 a revoked token is an invalid token", async () => {
    const token = await serviceToken(issuer);
    await postForm(issuer, "/revoke", { token, client_id: service.client_id, client_secret: service.client_secret });
    expect(refusal(await callApi(issuer, token))).toEqual([401, "invalid_token"]);
  });

  test("N38 BR-06 insufficient scope", async () => {
    const answer = await callApi(issuer, await serviceToken(issuer, service, { scope: "api:write" }));
    expect(refusal(answer)).toEqual([403, "insufficient_scope"]);
    const challenge = challengeOf(answer);
    expect(challenge).toContain('error="insufficient_scope"');
    expect(challenge).toContain('scope="api:read"');
    expect(challenge).toContain(`resource_metadata="${metadata}"`);
  });

  test("N38 BR-07 two Authorization headers", async () => {
    const answer = await call({ authorization: [`Bearer ${access}`, `Bearer ${access}`] });
    // Next's server passes on only the first; our server sees both.
    if (process.env["GATEHOUSE_TEST_MOUNT"] === "next") return expect(answer.status).toBe(200);
    expect(refusal(answer)).toEqual([400, "invalid_request"]);
    expect(challengeOf(answer)).toContain('error="invalid_request"');
  });

  test.each(["Bearer", "Bearer ", "Basic dGVzdDp0ZXN0", "Token x"])(
    "BR-07 Authorization: %j carries no bearer token",
    async (authorization) => {
      expectUnauthenticated(await call({ authorization }));
    },
  );

  test("CC-04 a client credentials token has no user", async () => {
    const body = json(await callApi(issuer, await serviceToken(issuer)));
    const user = json(await callApi(issuer, access));
    expect(JSON.stringify(body)).not.toContain("@");
    expect(body).not.toEqual(user);
  });
});

describe("the guard cannot be bypassed", () => {
  test.each([
    ["N39 SD-02 a doubled slash", "//api/resource"],
    ["SD-02 a doubled slash inside", "/api//resource"],
    ["N39 SD-02 a trailing slash", "/api/resource/"],
    ["SD-02 another case", "/API/resource"],
    ["N39 SD-02 an escaped letter", "/%61pi/resource"],
    ["SD-02 an escaped slash", "/api%2fresource"],
    ["SD-02 a router's query", "/api/resource?_rsc=1"],
    ["SD-02 dot segments", "/api/x/../resource"],
    ["SD-01 an unknown path below", "/api/resource/unknown"],
    ["SD-02 an encoded line end", "/api/resource%0a"],
    ["SD-02 a broken escape", "/api/resource%"],
  ])("%s", async (_, path) => {
    for (const headers of [
      {},
      { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
      { "x-http-method-override": "OPTIONS" },
    ]) {
      const answer = await call(headers, path);
      expect([400, 401, 404, 405, 308]).toContain(answer.status);
      expect(answer.text).not.toContain("@example.com");
    }
  });

  test.each([
    "/api/protected/me",
    "//api/protected/me",
    "/api//protected/me",
    "/api/protected/me/",
    "/API/PROTECTED/me",
    "/%61pi/protected/me",
    "/api/%70rotected/me",
    "/api%2fprotected/me",
    "/api/x/../protected/me",
    "/api/protected/%0a",
    "/api/protected/me?_rsc=1",
  ])("N39 SD-01 SD-02 %s needs a session", async (path) => {
    for (const headers of [{}, { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" }, bearer(access)]) {
      const answer = await call(headers, path);
      expect([400, 401, 404, 308]).toContain(answer.status);
      if (answer.status === 401) expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    }
  });

  test("SD-01 with a session the protected route responds", async () => {
    const answer = await ida.request("/api/protected/me");
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("bearer@example.com");
  });

  test("BR-12 an unknown API path is JSON too", async () => {
    const answer = await call(bearer(access), "/api/no/such/thing");
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  });

  test.each(["POST", "PUT", "DELETE"])("%s on the resource is not allowed", async (method) => {
    expect([401, 405]).toContain((await call(bearer(access), "/api/resource", method)).status);
  });
});
