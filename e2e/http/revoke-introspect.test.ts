import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { callApi, obtainTokens, postAs, refresh, refusal, serviceToken, signIn, tokensOf } from "../harness/flow.ts";
import { type Answer, json, postForm, send } from "../harness/http.ts";
import { expectJsonError, expectNotAllowed } from "./expectations.ts";

const issuer = inject("issuer");
const { web, otherWeb, browser, service, resourceServer } = CLIENTS;

let lea: Agent;
beforeAll(async () => {
  lea = await signIn(issuer, "revoke");
});

function expectDone(answer: Answer): void {
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.text).toBe("{}");
}

describe("revocation", () => {
  test("RV-03 interop-2 revoking an access token ends that token only, and the response is JSON", async () => {
    const tokens = await obtainTokens(lea, web);
    expectDone(await postAs(issuer, "/revoke", web, { token: tokens.access }));
    expect(refusal(await callApi(issuer, tokens.access))).toEqual([401, "invalid_token"]);
    expect((await refresh(issuer, web, tokens.refresh)).status).toBe(200);
  });

  test("RV-04 RV-06 revoking a refresh token ends the whole grant", async () => {
    const tokens = await obtainTokens(lea, web);
    expectDone(await postAs(issuer, "/revoke", web, { token: tokens.refresh, token_type_hint: "refresh_token" }));
    expect(refusal(await callApi(issuer, tokens.access))).toEqual([401, "invalid_token"]);
    expectJsonError(await refresh(issuer, web, tokens.refresh), 400, "invalid_grant");
    expect(json(await postAs(issuer, "/introspect", web, { token: tokens.access }))).toEqual({ active: false });
  });

  test.each(["refresh_token", "access_token", "nonsense", ""])(
    "RV-01 the hint %j is only a hint",
    async (token_type_hint) => {
      const tokens = await obtainTokens(lea, web);
      expectDone(await postAs(issuer, "/revoke", web, { token: tokens.access, token_type_hint }));
      expect((await callApi(issuer, tokens.access)).status).toBe(401);
    },
  );

  test("RV-02 a public client identifies itself by client_id", async () => {
    const tokens = await obtainTokens(lea, browser);
    expectDone(await postAs(issuer, "/revoke", browser, { token: tokens.refresh }));
    expect((await callApi(issuer, tokens.access)).status).toBe(401);
  });

  test("RV-03 revoking an unknown token succeeds, every time", async () => {
    expectDone(await postAs(issuer, "/revoke", web, { token: "garbage" }));
    const { access } = await obtainTokens(lea, web);
    expectDone(await postAs(issuer, "/revoke", web, { token: access }));
    expectDone(await postAs(issuer, "/revoke", web, { token: access }));
  });

  test("RV-05 CF-21 revoking another client's token is rejected and changes nothing", async () => {
    const tokens = await obtainTokens(lea, web);
    for (const token of [tokens.access, tokens.refresh]) {
      expectJsonError(await postAs(issuer, "/revoke", otherWeb, { token }), 400, "invalid_grant");
    }
    expect((await callApi(issuer, tokens.access)).status).toBe(200);
    expect((await refresh(issuer, web, tokens.refresh)).status).toBe(200);
  });

  test("RV-01 RV-02 RV-07 missing and invalid parameters", async () => {
    expectJsonError(await postAs(issuer, "/revoke", web, {}), 400, "invalid_request");
    expectJsonError(await postAs(issuer, "/revoke", web, { token: ["a", "b"] }), 400, "invalid_request");
    expectJsonError(
      await postAs(issuer, "/revoke", { ...web, client_secret: "wrong" }, { token: "x" }),
      401,
      "invalid_client",
    );
    expectNotAllowed(await send(issuer, "/revoke?token=x"), "POST");
  });
});

describe("introspection", () => {
  const ask = (client: Parameters<typeof postAs>[2], token: string) => postAs(issuer, "/introspect", client, { token });

  test("IN-03 IN-05 a client sees its own tokens", async () => {
    const { access } = await obtainTokens(lea, web);
    const answer = await ask(web, access);
    expect(answer.headers.get("cache-control")).toContain("no-store");
    const body = json(answer);
    expect(body).toMatchObject({
      active: true,
      client_id: "web",
      token_type: "Bearer",
      scope: "api:read",
      iss: issuer,
      aud: `${issuer}/api`,
    });
    for (const name of ["exp", "iat"]) expect(body[name]).toEqual(expect.any(Number));
    for (const name of ["sub", "jti"]) expect(body[name]).toEqual(expect.any(String));
  });

  test("IN-05 the resource server sees every token meant for the API", async () => {
    const { access } = await obtainTokens(lea, web);
    expect(json(await ask(resourceServer, access))).toMatchObject({ active: true, client_id: "web" });
  });

  test("CC-04 SE-18 the subject of a client credentials token cannot be a user's", async () => {
    const mine = json(await ask(service, await serviceToken(issuer)));
    expect(mine).toMatchObject({ active: true, sub: "client:service" });
    expect(mine).not.toHaveProperty("username");
  });

  test("IN-02 IN-05 every other token is inactive, without details", async () => {
    const tokens = await obtainTokens(lea, web);
    const rotated = tokensOf(await refresh(issuer, web, tokens.refresh));
    const { access: foreign } = await obtainTokens(lea, otherWeb);
    for (const token of ["garbage", foreign, tokens.refresh])
      expect(json(await ask(web, token))).toEqual({ active: false });
    expect(json(await ask(service, rotated.access))).toEqual({ active: false });
    expect(json(await ask(resourceServer, rotated.refresh))).toEqual({ active: false });
  });

  test("IN-01 IN-04 unauthorized callers and invalid requests", async () => {
    const { access } = await obtainTokens(lea, browser);
    expectJsonError(await ask(browser, access), 401, "invalid_client");
    expectJsonError(await postForm(issuer, "/introspect", { token: access }), 401, "invalid_client");
    expectJsonError(await postAs(issuer, "/introspect", web, {}), 400, "invalid_request");
    expectNotAllowed(await send(issuer, "/introspect"), "POST");
  });

  test("a bearer token does not authenticate a client", async () => {
    const { access } = await obtainTokens(lea, web);
    const answer = await postForm(issuer, "/introspect", { token: access }, { authorization: `Bearer ${access}` });
    expect([400, 401]).toContain(answer.status);
    expect(json(answer)).not.toHaveProperty("active");
  });
});
