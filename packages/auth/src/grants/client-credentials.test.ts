import { describe, expect, test } from "vitest";
import { introspect } from "../endpoints/introspect.ts";
import { token } from "../endpoints/token.ts";
import { basic, post, SERVICE_SECRET, scene, textAt, WEB_SECRET } from "../testing/index.ts";

const AUTH = basic("shop-worker", SERVICE_SECRET);
const ask = (change: Record<string, string> = {}, headers: Record<string, string> = AUTH, s = scene()) =>
  post(s, token, { grant_type: "client_credentials", ...change }, headers);

describe("client_credentials grant, OAuth 2.1 §4.2", () => {
  test("CC-02 CC-03: no PKCE, no user, no refresh token; the scope is the client's default", async () => {
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^gat_/),
      token_type: "Bearer",
      expires_in: 600,
      scope: "api:read api:write",
    });
  });

  test.each([
    ["a subset of the scope", { scope: "api:read" }, 200, "api:read"],
    ["AZ-15 repeated and trailing spaces", { scope: " api:read  " }, 200, "api:read"],
    ["AZ-15 AZ-03 nothing but spaces, as if it were absent", { scope: "  " }, 200, "api:read api:write"],
    ["AZ-16 CF-13 an unknown scope beside a known one", { scope: "groups api:read" }, 200, "api:read"],
    ["PK-07 a stray code_verifier, which is ignored", { code_verifier: "whatever" }, 200, "api:read api:write"],
    ["RI-01 our resource", { resource: "https://gate.example/api" }, 200, "api:read api:write"],
  ])("accepts %s", async (_, change, status, scope) => {
    expect(await ask(change)).toMatchObject({ status, body: { scope } });
  });

  test.each([
    ["CC-02 N35 openid", { scope: "openid" }, "invalid_scope"],
    ["CC-02 offline_access", { scope: "api:read offline_access" }, "invalid_scope"],
    ["an unknown scope", { scope: "admin:all" }, "invalid_scope"],
    ["a console scope", { scope: "console:read" }, "invalid_scope"],
    ["AZ-15 a malformed scope", { scope: 'api:read "api:write"' }, "invalid_scope"],
    [
      "AZ-16 a scope that exists and is not the client's, beside an unknown one",
      { scope: "groups console:read" },
      "invalid_scope",
    ],
    ["RI-01 another resource", { resource: "https://other.example/api" }, "invalid_target"],
  ])("rejects %s", async (_, change, error) => {
    expect(await ask(change)).toMatchObject({ status: 400, body: { error } });
  });

  test("CC-01 N35: rejects a public client, even one that is registered for the grant", async () => {
    const s = scene();
    expect(await ask({ client_id: "shop-spa" }, {}, s)).toMatchObject({
      status: 400,
      body: { error: "unauthorized_client" },
    });
    s.changeClient("shop-spa", { grantTypes: ["client_credentials"] });
    expect(await ask({ client_id: "shop-spa" }, {}, s)).toMatchObject({
      status: 400,
      body: { error: "unauthorized_client" },
    });
  });

  test("a web client may have the grant, but no console scope without a user", async () => {
    const s = scene();
    s.changeClient("gatehouse-console", { grantTypes: ["client_credentials"] });
    const auth = basic("gatehouse-console", WEB_SECRET);
    expect((await ask({}, auth, s)).body).toMatchObject({ scope: "api:read" });
    expect((await ask({ scope: "console:write" }, auth, s)).body["error"]).toBe("invalid_scope");
  });

  test("CC-04: the token's subject is the client, in a form no user id has", async () => {
    const s = scene();
    const answer = await ask({}, AUTH, s);
    const seen = await post(s, introspect, { token: textAt(answer, "access_token") }, AUTH);
    expect(seen.body).toMatchObject({ active: true, sub: "client:shop-worker", client_id: "shop-worker" });
    expect(seen.body).not.toHaveProperty("username");
  });
});
