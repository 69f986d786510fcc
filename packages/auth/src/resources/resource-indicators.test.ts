import { readJwt } from "@gatehouse/guard";
import { describe, expect, test } from "vitest";
import { decideConsent, openConsent } from "../authorization/consent.ts";
import { findDeviceRequest } from "../authorization/device.ts";
import { storageHash } from "../crypto/secret.ts";
import { verifyJwt } from "../crypto/signing-keys.ts";
import { authorize } from "../endpoints/authorize.ts";
import { deviceAuthorization } from "../endpoints/device-authorization.ts";
import { introspect } from "../endpoints/introspect.ts";
import { pushedAuthorizationRequest } from "../endpoints/par.ts";
import { registeredResourceMetadata } from "../endpoints/protected-resource-metadata.ts";
import { revoke } from "../endpoints/revoke.ts";
import { token } from "../endpoints/token.ts";
import { requireBearer } from "../guard/bearer.ts";
import {
  type Answer,
  ask,
  basic,
  decideDevice,
  landed,
  MAIL,
  NOON,
  type Pairs,
  post,
  query,
  read,
  registerResources,
  type Scene,
  SERVICE_SECRET,
  STOCK,
  scene,
  sealedOf,
  textAt,
  VERIFIER,
  WEB_SECRET,
} from "../testing/index.ts";

const OURS = "https://gate.example/api";
const OWNER = basic("shop-web", WEB_SECRET);
const SERVER = basic("shop-api", SERVICE_SECRET);
const lastCause = (s: Scene) => s.tables.refusals.at(-1)?.cause;

/** A scene in which the web client and the service may ask for tokens of two more APIs. */
function stage(): Scene {
  const s = scene();
  registerResources(s, "shop-web", "shop-worker");
  return s;
}

/** `resource` appended as often as there are values. */
const naming = (resources: readonly string[]) =>
  resources.map((resource) => `&resource=${encodeURIComponent(resource)}`).join("");

/** Allows the request and returns the code. */
async function allowed(s: Scene, scope: string | undefined, resources: readonly string[] = []): Promise<string> {
  const asked = await ask(s, { scope }, naming(resources));
  const result =
    asked.kind === "consent" ? await decideConsent(asked.request, "allow", s.active, s.deps, s.caller) : asked;
  return landed(result)["code"] ?? "";
}

const trade = (s: Scene, code: string, resources: readonly string[] = []) =>
  post(
    s,
    token,
    [
      ["grant_type", "authorization_code"],
      ["code", code],
      ["code_verifier", VERIFIER],
      ...resources.map((r): [string, string] => ["resource", r]),
    ],
    OWNER,
  );

const refresh = (s: Scene, answer: Answer, change: Record<string, string> = {}) =>
  post(s, token, { grant_type: "refresh_token", refresh_token: textAt(answer, "refresh_token"), ...change }, OWNER);

const audienceOf = (s: Scene, answer: Answer) =>
  s.tables.accessTokens.get(storageHash(textAt(answer, "access_token")))?.audience;

describe("resource at the authorization endpoint, RFC 8707 §2", () => {
  test.each<[string, Pairs, string[], string, string]>([
    ["an unknown one", {}, ["https://other.example"], "invalid_target", "resource_unknown"],
    ["a relative one", {}, ["/api"], "invalid_target", "resource_unknown"],
    ["one with a fragment", {}, [`${STOCK.id}#x`], "invalid_target", "resource_unknown"],
    [
      "one that is no URI, since its host is not in its ASCII form",
      {},
      ["https://st\u00f6ck.example"],
      "invalid_target",
      "resource_unknown",
    ],
    ["more than 100", {}, Array.from({ length: 101 }, () => OURS), "invalid_target", "resource_unknown"],
    ["a known one beside an unknown one", {}, [OURS, "https://other.example"], "invalid_target", "resource_unknown"],
    ["a scope of another resource", { scope: "stock:read" }, [OURS], "invalid_scope", "scope_of_other_resource"],
    [
      "a resource without any of its scopes",
      { scope: "api:read" },
      [OURS, STOCK.id],
      "invalid_scope",
      "scope_of_other_resource",
    ],
    ["an unknown scope, first", { scope: "nothing" }, ["https://other.example"], "invalid_scope", "scope_unknown"],
  ])("RI-01 AZ-38: rejects %s", async (_, change, resources, error, cause) => {
    const s = stage();
    expect(landed(await ask(s, change, naming(resources)))).toMatchObject({ error, state: "s1" });
    expect(lastCause(s)).toBe(cause);
  });

  test("RI-01: a client that is not registered for a resource gets neither it nor its scopes", async () => {
    const s = scene();
    registerResources(s);
    expect(landed(await ask(s, {}, naming([STOCK.id])))).toMatchObject({ error: "invalid_target" });
    expect(landed(await ask(s, { scope: "stock:read" }))).toMatchObject({ error: "invalid_scope" });
  });

  test("RI-01: a disabled resource is unknown", async () => {
    const s = stage();
    s.tables.resources.set(STOCK.id, { ...STOCK, disabledAt: NOON });
    expect(landed(await ask(s, { scope: "stock:read" }, naming([STOCK.id])))).toMatchObject({ error: "invalid_scope" });
  });

  test.each([
    ["the resources named", "api:read stock:read", [OURS, STOCK.id], `${OURS} ${STOCK.id}`],
    ["RI-04 in other case, with a slash, twice", "stock:read", ["HTTPS://Stock.Example/", STOCK.id], STOCK.id],
    ["those of the scope, when none is named", "stock:read offline_access", [], STOCK.id],
    ["our own too for what is about the user", "openid stock:read", [], `${OURS} ${STOCK.id}`],
    ["nothing to remember for our own alone", "api:read", [], null],
  ])("RI-02: a code is for %s", async (_, scope, resources, audience) => {
    const s = stage();
    const code = await allowed(s, scope, resources);
    expect(s.tables.codes.get(storageHash(code))).toMatchObject({ scope, audience });
  });

  test("AZ-14: a requested resource limits the default scope", async () => {
    const s = stage();
    const code = await allowed(s, undefined, [STOCK.id]);
    expect(s.tables.codes.get(storageHash(code))?.scope).toBe("stock:read stock:write");
  });

  test("AZ-33 AZ-34: the user is asked again for another API, with its name and descriptions", async () => {
    const s = stage();
    await allowed(s, "api:read");
    const view = await openConsent(
      sealedOf(await ask(s, { scope: "api:read stock:read" }), "consent"),
      s.active,
      s.deps,
    );
    expect(view?.scopes).toEqual([
      { name: "api:read", description: "read your data through the API", resource: null, isNew: false },
      { name: "stock:read", description: "see what is in stock", resource: "Stock", isNew: true },
    ]);
  });
});

describe("resource at the token endpoint, RFC 8707 §2.2", () => {
  test.each<[string, string[], string, string]>([
    ["our own, when none is named", [], OURS, "openid api:read"],
    ["the one that is named", [STOCK.id], STOCK.id, "stock:read"],
    ["RI-04 in other case, with a slash", ["https://STOCK.example/"], STOCK.id, "stock:read"],
  ])(
    "RI-02 RI-03: with several authorized resources, the token is for %s, with its scopes",
    async (_, resources, audience, scope) => {
      const s = stage();
      const answer = await trade(
        s,
        await allowed(s, "openid offline_access api:read stock:read", [OURS, STOCK.id]),
        resources,
      );
      expect(answer.body).toMatchObject({ scope: scope.replace("openid", "openid offline_access") });
      expect(audienceOf(s, answer)).toBe(audience);
    },
  );

  test("RI-02: the only authorized resource need not be named", async () => {
    const s = stage();
    const answer = await trade(s, await allowed(s, "stock:read", [STOCK.id]));
    expect(answer.body).toMatchObject({ scope: "stock:read" });
    expect(audienceOf(s, answer)).toBe(STOCK.id);
  });

  test.each<[string, string, string[], string[], string]>([
    ["not authorized", "api:read", [OURS], [STOCK.id], "resource_unknown"],
    ["two at once", "api:read stock:read", [OURS, STOCK.id], [OURS, STOCK.id], "resource_ambiguous"],
    ["none of two others", "stock:read mail:send", [STOCK.id, MAIL.id], [], "resource_ambiguous"],
  ])("RI-02: rejects %s, and the code is not spent", async (_, scope, authorized, sent, cause) => {
    const s = stage();
    const code = await allowed(s, scope, authorized);
    expect(await trade(s, code, sent)).toMatchObject({ status: 400, body: { error: "invalid_target" } });
    expect(lastCause(s)).toBe(cause);
    expect((await trade(s, code, authorized.slice(0, 1))).status).toBe(200);
  });

  test("RI-02 RT-04: each refresh may choose any authorized resource, and no other", async () => {
    const s = stage();
    const first = await trade(s, await allowed(s, "offline_access api:read stock:read", [OURS, STOCK.id]));
    const second = await refresh(s, first, { resource: STOCK.id });
    expect(second.body).toMatchObject({ scope: "stock:read" });
    expect(audienceOf(s, second)).toBe(STOCK.id);
    expect(await refresh(s, second, { resource: MAIL.id })).toMatchObject({
      status: 400,
      body: { error: "invalid_target" },
    });
    const third = await refresh(s, second, { scope: "stock:read" });
    expect(audienceOf(s, third)).toBe(STOCK.id);
    expect(audienceOf(s, await refresh(s, third))).toBe(OURS);
  });

  test("CF-20: a lost response is repeated for the same resource only", async () => {
    const s = stage();
    const first = await trade(s, await allowed(s, "api:read stock:read", [OURS, STOCK.id]));
    const second = await refresh(s, first, { resource: STOCK.id });
    expect((await refresh(s, first, { resource: STOCK.id })).text).toBe(second.text);
    expect(await refresh(s, first)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  test("a client that has lost a resource can refresh for the remaining ones", async () => {
    const s = stage();
    const first = await trade(s, await allowed(s, "api:read stock:read", [OURS, STOCK.id]));
    s.changeClient("shop-web", { options: {} });
    expect((await refresh(s, first, { resource: STOCK.id })).body).toMatchObject({ error: "invalid_target" });
    expect((await refresh(s, first)).body).toMatchObject({ scope: "api:read" });
  });

  test.each<[Record<string, string>, string, string]>([
    [{ scope: "stock:read" }, STOCK.id, "stock:read"],
    [{ resource: STOCK.id }, STOCK.id, "stock:read stock:write"],
    [{}, OURS, "api:read api:write"],
  ])("CC-02 RI-02: client credentials with %o", async (parameters, audience, scope) => {
    const s = stage();
    const answer = await post(
      s,
      token,
      { grant_type: "client_credentials", ...parameters },
      basic("shop-worker", SERVICE_SECRET),
    );
    expect(answer.body).toMatchObject({ scope });
    expect(audienceOf(s, answer)).toBe(audience);
  });
});

test("RI-01 DF-10: a device can request another API, which the page names", async () => {
  const s = scene();
  registerResources(s, "shop-tv");
  const start = (resource: string) =>
    post(s, deviceAuthorization, { client_id: "shop-tv", scope: "stock:read", resource });
  expect((await start("https://other.example")).body).toMatchObject({ error: "invalid_target" });

  const started = await start(STOCK.id);
  const view = await findDeviceRequest(textAt(started, "user_code"), s.active, s.deps);
  expect(view?.scopes).toEqual([{ name: "stock:read", description: "see what is in stock", resource: "Stock" }]);
  await decideDevice(s, textAt(started, "user_code"));

  const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
  const answer = await post(s, token, {
    grant_type,
    client_id: "shop-tv",
    device_code: textAt(started, "device_code"),
  });
  expect(audienceOf(s, answer)).toBe(STOCK.id);
});

test("RI-01 PA-01: a pushed request can name resources, which limit the tokens", async () => {
  const s = stage();
  const push = (...resources: string[]) =>
    post(s, pushedAuthorizationRequest, [...query({ scope: "stock:read" }, naming(resources))], OWNER);
  expect((await push("https://other.example")).body).toMatchObject({ error: "invalid_target" });
  expect((await push(OURS)).body).toMatchObject({ error: "invalid_scope" });

  const pushed = new URLSearchParams({
    client_id: "shop-web",
    request_uri: textAt(await push(STOCK.id), "request_uri"),
  });
  const asked = await authorize(pushed, s.active, s.deps, s.caller);
  const allowedNow = await decideConsent(sealedOf(asked, "consent"), "allow", s.active, s.deps, s.caller);
  expect(s.tables.codes.get(storageHash(landed(allowedNow)["code"] ?? ""))).toMatchObject({
    scope: "stock:read",
    audience: STOCK.id,
  });
});

describe("JWT access tokens, RFC 9068", () => {
  const mail = async (s: Scene) => trade(s, await allowed(s, "openid mail:send", [MAIL.id]));

  test("JT-01: contains subject, client, audience, scope and expiry, and nothing personal", async () => {
    const s = stage();
    const answer = await mail(s);
    const jwt = readJwt(textAt(answer, "access_token"));
    expect(jwt?.header).toMatchObject({ typ: "at+jwt", alg: "ES256", kid: expect.any(String) });
    expect(jwt?.claims).toEqual({
      iss: "https://gate.example",
      aud: MAIL.id,
      sub: "user-ada",
      client_id: "shop-web",
      iat: NOON,
      exp: NOON + 600,
      jti: expect.any(String),
      environment: "production",
      scope: "mail:send",
      auth_time: NOON - 60,
      acr: expect.any(String),
      amr: ["pwd"],
    });
    const demand = { typ: "at+jwt", algorithms: ["ES256"] as const, issuer: "https://gate.example", audience: MAIL.id };
    expect(await verifyJwt(textAt(answer, "access_token"), demand, s.deps)).toBeDefined();
    expect(await verifyJwt(textAt(answer, "access_token"), { ...demand, typ: "JWT" }, s.deps)).toBeUndefined();
  });

  test("JT-03 RV-06: is stored by its hash, and its revocation acts at once at introspection and guard", async () => {
    const s = stage();
    s.changeClient("shop-api", { options: { serves: [MAIL.id] } });
    const access = textAt(await mail(s), "access_token");
    const seen = () => post(s, introspect, { token: access }, SERVER);
    expect((await seen()).body).toMatchObject({ active: true, aud: MAIL.id, sub: "user-ada", scope: "mail:send" });
    expect(JSON.stringify([...s.tables.accessTokens])).not.toContain(access);
    expect((await post(s, revoke, { token: access }, OWNER)).status).toBe(200);
    expect((await seen()).body).toEqual({ active: false });
  });

  test("JT-02 BR-10: the guard accepts one for our own API if so configured, but no altered one and none of another API", async () => {
    const s = stage();
    s.deps.config = { ...s.deps.config, tokenFormat: "jwt" };
    const knock = async (secret: string) => {
      const request = new Request("https://gate.example/api/resource", {
        headers: { authorization: `Bearer ${secret}` },
      });
      return (await requireBearer(request, { scope: "api:read" }, s.deps, s.caller)).ok;
    };
    const ours = textAt(await trade(s, await allowed(s, "api:read")), "access_token");
    expect(readJwt(ours)?.header).toMatchObject({ typ: "at+jwt", alg: "RS256" });
    expect(await knock(ours)).toBe(true);
    const [head = "", body = "", signature = ""] = ours.split(".");
    const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
    for (const altered of [
      `${head}.${body}.${signature.slice(0, -4)}AAAA`,
      `${unsigned}.${body}.`,
      `${unsigned}.${body}.${signature}`,
    ]) {
      expect(await knock(altered)).toBe(false);
    }
    expect(await knock(textAt(await mail(s), "access_token"))).toBe(false);
    s.store.revokeAccessToken(storageHash(ours), NOON);
    expect(await knock(ours)).toBe(false);
  });

  test("JT-02: an id token does not pass for an access token", async () => {
    const s = stage();
    const answer = await trade(s, await allowed(s, "openid api:read"));
    const request = new Request("https://gate.example/api/resource", {
      headers: { authorization: `Bearer ${textAt(answer, "id_token")}` },
    });
    expect((await requireBearer(request, { scope: [] }, s.deps, s.caller)).ok).toBe(false);
  });
});

describe("introspection by resource servers, RFC 7662 §2.2", () => {
  test.each<[string, string[] | undefined, boolean, boolean]>([
    ["our own API unless it says otherwise", undefined, true, false],
    ["what it serves", [STOCK.id], false, true],
    ["both", [OURS, STOCK.id], true, true],
    ["nothing", [], false, false],
  ])("IN-05: sees tokens for %s", async (_, serves, seesOurs, seesStock) => {
    const s = stage();
    s.changeClient("shop-api", { options: serves ? { serves } : {} });
    const ours = textAt(await trade(s, await allowed(s, "api:read")), "access_token");
    const stock = textAt(await trade(s, await allowed(s, "stock:read")), "access_token");
    expect((await post(s, introspect, { token: ours }, SERVER)).body["active"]).toBe(seesOurs);
    expect((await post(s, introspect, { token: stock }, SERVER)).body["active"]).toBe(seesStock);
  });

  test("IN-02: tokens of a disabled resource are inactive within a second, also at the guard", async () => {
    const s = stage();
    s.changeClient("shop-api", { options: { serves: [STOCK.id] } });
    const stock = textAt(await trade(s, await allowed(s, "stock:read")), "access_token");
    const request = () => new Request("https://stock.example/x", { headers: { authorization: `Bearer ${stock}` } });
    const demand = { scope: "stock:read", audience: STOCK.id };
    expect((await requireBearer(request(), demand, s.deps, s.caller)).ok).toBe(true);
    s.tables.resources.set(STOCK.id, { ...STOCK, disabledAt: NOON });
    s.clock.now += 1;
    expect((await post(s, introspect, { token: stock }, SERVER)).body).toEqual({ active: false });
    expect((await requireBearer(request(), demand, s.deps, s.caller)).ok).toBe(false);
  });
});

describe("metadata of registered resources, RFC 9728", () => {
  const at = (s: Scene, path: string, method = "GET") =>
    registeredResourceMetadata(
      new Request(`https://gate.example/.well-known/oauth-protected-resource${path}`, { method }),
      s.deps,
      s.caller,
    );

  test("PM-01 PM-02: of a resource on our origin", async () => {
    const { status, headers, body } = await read(await at(stage(), "/mail"));
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(body).toMatchObject({
      resource: MAIL.id,
      authorization_servers: ["https://gate.example"],
      scopes_supported: ["mail:send"],
      bearer_methods_supported: ["header"],
      resource_name: "Mail",
    });
  });

  test("PM-01: not of a resource elsewhere, nor of an unknown one", async () => {
    for (const path of ["/", "/stock", "/mail/x"]) expect((await at(stage(), path)).status).toBe(404);
    expect((await at(stage(), "/mail", "POST")).status).toBe(405);
  });

  test("PM-03 BR-04: a challenge at a resource links to its own document", async () => {
    const s = stage();
    const refused = await requireBearer(
      new Request(MAIL.id),
      { scope: "mail:send", audience: MAIL.id },
      s.deps,
      s.caller,
    );
    const challenge = refused.ok ? "" : refused.response.headers.get("www-authenticate");
    expect(challenge).toContain('resource_metadata="https://gate.example/.well-known/oauth-protected-resource/mail"');
  });
});
