import { jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS, DEVICE_CODE, MAIL, STOCK } from "../harness/fixture.ts";
import {
  authorize,
  authorizePath,
  callApi,
  callback,
  obtainCode,
  postAs,
  redeem,
  refresh,
  refusal,
  serviceToken,
  signIn,
  tokensOf,
} from "../harness/flow.ts";
import { json, send, textOf } from "../harness/http.ts";
import { publishedKeys } from "../harness/openid.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { expectJsonError } from "./expectations.ts";

const issuer = inject("issuer");
const OURS = `${issuer}/api`;
const { web, shopper, stockServer, resourceServer, service } = CLIENTS;

let uma: Agent;
beforeAll(async () => {
  uma = await signIn(issuer, "resources");
});

const introspect = async (client: Parameters<typeof postAs>[2], token: string) =>
  json(await postAs(issuer, "/introspect", client, { token }));
const audienceOf = async (token: string) => (await introspect(shopper, token))["aud"];

describe("API resources over HTTP", () => {
  test.each([
    ["an unknown one", web, { resource: "https://nowhere.example" }, "invalid_target"],
    ["one this client is not registered for", web, { resource: STOCK.id }, "invalid_target"],
    ["one with a fragment", shopper, { resource: `${STOCK.id}#x`, scope: "stock:read" }, "invalid_target"],
    ["a scope of another", shopper, { resource: OURS, scope: "stock:read" }, "invalid_scope"],
    ["one without any of its scopes", shopper, { resource: [OURS, STOCK.id], scope: "api:read" }, "invalid_scope"],
  ])("RI-01 /authorize rejects %s", async (_, client, change, error) => {
    const { params } = callback(await uma.open(authorizePath(client, change)));
    expect([params.get("error"), params.get("code"), params.get("iss")]).toEqual([error, null, issuer]);
  });

  test("AZ-33 AZ-34 the consent page names the API and its scopes", async () => {
    const page = await uma.open(authorizePath(shopper, { scope: "stock:write", prompt: "consent" }));
    expect(page.text).toContain("change what is in stock");
    expect(page.text).toContain(STOCK.name);
  });

  test("RI-02 RI-03 a user can allow several APIs at once, and each token is for one of them", async () => {
    const asked = { scope: "offline_access api:read stock:read", resource: [OURS, STOCK.id] };
    const obtained = await obtainCode(uma, shopper, asked);
    expectJsonError(await redeem(issuer, shopper, obtained, { resource: [OURS, STOCK.id] }), 400, "invalid_target");
    expectJsonError(await redeem(issuer, shopper, obtained, { resource: MAIL.id }), 400, "invalid_target");
    const first = await redeem(issuer, shopper, obtained);
    expect(await audienceOf(tokensOf(first).access)).toBe(OURS);
    expect((await callApi(issuer, tokensOf(first).access)).status).toBe(200);

    const second = await refresh(issuer, shopper, tokensOf(first).refresh, { resource: STOCK.id });
    expect(json(second)).toMatchObject({ scope: "stock:read" });
    expect(await audienceOf(tokensOf(second).access)).toBe(STOCK.id);
    expect(refusal(await callApi(issuer, tokensOf(second).access))).toEqual([401, "invalid_token"]);
    expectJsonError(
      await refresh(issuer, shopper, tokensOf(second).refresh, { resource: MAIL.id }),
      400,
      "invalid_target",
    );
  });

  test("RI-01 CC-02 device and service clients can name a resource", async () => {
    const { device } = CLIENTS;
    const started = { scope: "api:read", resource: STOCK.id };
    expectJsonError(await postAs(issuer, "/device_authorization", device, started), 400, "invalid_target");
    expect((await postAs(issuer, "/device_authorization", device, { scope: "api:read", resource: OURS })).status).toBe(
      200,
    );
    expectJsonError(
      await postAs(issuer, "/token", service, { grant_type: "client_credentials", resource: STOCK.id }),
      400,
      "invalid_target",
    );
    expectJsonError(
      await postAs(issuer, "/token", device, { grant_type: DEVICE_CODE, device_code: "x", resource: OURS }),
      400,
      "invalid_grant",
    );
  });

  test("IN-05 a resource server sees tokens for the APIs it serves only", async () => {
    const ours = tokensOf(await redeem(issuer, shopper, await obtainCode(uma, shopper))).access;
    const theirs = tokensOf(await redeem(issuer, shopper, await obtainCode(uma, shopper, { scope: "stock:read" })));
    expect(await introspect(stockServer, theirs.access)).toMatchObject({
      active: true,
      aud: STOCK.id,
      scope: "stock:read",
      client_id: "shopper",
    });
    expect(await introspect(stockServer, ours)).toEqual({ active: false });
    expect(await introspect(resourceServer, theirs.access)).toEqual({ active: false });
    expect(await introspect(resourceServer, ours)).toMatchObject({ active: true });
    expect(await introspect(stockServer, theirs.refresh)).toEqual({ active: false });
  });

  test("JT-01 MD-07 jose and oauth4webapi verify a JWT access token with the published keys", async () => {
    const { access } = tokensOf(
      await redeem(issuer, shopper, await obtainCode(uma, shopper, { scope: "mail:send", resource: MAIL.id })),
    );
    const keys = publishedKeys(`${issuer}/.well-known/jwks.json`);
    const { payload } = await jwtVerify(access, keys, {
      issuer,
      audience: MAIL.id,
      typ: "at+jwt",
      algorithms: ["ES256"],
    });
    expect(payload).toMatchObject({
      client_id: "shopper",
      scope: "mail:send",
      jti: expect.any(String),
      auth_time: expect.any(Number),
    });
    expect(Object.keys(payload)).not.toContain("email");

    const http = { [oauth.allowInsecureRequests]: true };
    const discovery = await oauth.discoveryRequest(new URL(issuer), { algorithm: "oauth2", ...http });
    const server = await oauth.processDiscoveryResponse(new URL(issuer), discovery);
    const request = new Request(MAIL.id, { headers: { authorization: `Bearer ${access}` } });
    const claims = await oauth.validateJwtAccessToken(server, request, MAIL.id, {
      signingAlgorithms: ["ES256"],
      ...http,
    });
    expect(claims).toMatchObject({ sub: payload.sub, client_id: "shopper" });
  });

  test("JT-03 RV-06 a revoked JWT is inactive at once, and is rejected by the built-in API", async () => {
    const { access } = tokensOf(await redeem(issuer, shopper, await obtainCode(uma, shopper, { scope: "mail:send" })));
    expect(refusal(await callApi(issuer, access))).toEqual([401, "invalid_token"]);
    expect(await introspect(stockServer, access)).toMatchObject({ active: true, aud: MAIL.id });
    expect((await postAs(issuer, "/revoke", shopper, { token: access })).status).toBe(200);
    expect(await introspect(stockServer, access)).toEqual({ active: false });
  });

  test("RI-04 the case of scheme and host and a trailing slash are ignored", async () => {
    const { params } = callback(
      await authorize(uma, shopper, { scope: "stock:read", resource: "HTTPS://STOCK.example/" }),
    );
    expect(params.get("code")).not.toBeNull();
  });

  test("PM-01 PM-02 a resource under the issuer's address has its metadata at the well-known path until it is disabled", async () => {
    const token = await consoleToken(issuer, "admin");
    const id = `${issuer}/files`;
    const draft = { id, name: "Files", scopes: [{ name: "files:read", description: "read your files" }] };
    expect(dataOf(await mutate(issuer, "resources.create", draft, token))).toMatchObject({ id, enabled: true });
    // The registry may be cached for a second.
    const document = () => send(issuer, "/.well-known/oauth-protected-resource/files");
    await expect.poll(async () => (await document()).status, { timeout: 20_000 }).toBe(200);
    const answer = await document();
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(json(answer)).toMatchObject({
      resource: id,
      authorization_servers: [issuer],
      scopes_supported: ["files:read"],
    });

    dataOf(await mutate(issuer, "resources.setEnabled", { id, enabled: false }, token));
    await expect.poll(async () => (await document()).status, { timeout: 20_000 }).toBe(404);
    dataOf(await mutate(issuer, "resources.remove", { id }, token));
  });

  test("only an admin registers resources", async () => {
    const draft = { id: "https://developer.example", name: "X", scopes: [{ name: "x", description: "x" }] };
    expect((await mutate(issuer, "resources.create", draft, await consoleToken(issuer, "developer"))).status).toBe(403);
    expect(textOf(await postAs(issuer, "/token", service, { grant_type: "client_credentials" }), "scope")).toBe(
      "api:read api:write",
    );
    expect(await introspect(service, await serviceToken(issuer))).toMatchObject({ aud: OURS });
  });
});
