import { describe, expect, test } from "vitest";
import { decideConsent, openConsent } from "../authorization/consent.ts";
import type { Client } from "../clients/client.ts";
import { storageHash } from "../crypto/secret.ts";
import { authorize } from "../endpoints/authorize.ts";
import { deviceAuthorization } from "../endpoints/device-authorization.ts";
import { pushedAuthorizationRequest } from "../endpoints/par.ts";
import { token } from "../endpoints/token.ts";
import {
  type Answer,
  ask,
  basic,
  landed,
  MAIL,
  NOON,
  type Pairs,
  post,
  query,
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

const WEB = basic("shop-web", WEB_SECRET);
/** What our metadata lists, as a client sends it that was told no scopes by the API that it wants to call. */
const CATALOGUE = "openid profile email offline_access api:read api:write";
const notes = (s: Scene) => s.tables.refusals.filter(({ cause }) => cause === "scope_left_out");

/** The user presses Allow; the client redeems the code. */
async function allowed(s: Scene, form: string, more: Record<string, string> = {}): Promise<Answer> {
  const { code = "" } = landed(await decideConsent(form, "allow", s.active, s.deps, s.caller));
  return post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER, ...more }, WEB);
}

const refresh = (s: Scene, answer: Answer, scope: string, more: Record<string, string> = {}) =>
  post(s, token, { grant_type: "refresh_token", refresh_token: textAt(answer, "refresh_token"), scope, ...more }, WEB);

/** STOCK and MAIL exist, and the web client is registered for neither. */
function others(): Scene {
  const s = scene();
  registerResources(s);
  return s;
}

describe("scopes that exist nowhere here", () => {
  test("AZ-16 CF-13: are left out at /authorize; page, token response and refresh have the rest, and the ledger a note", async () => {
    const s = others();
    const form = sealedOf(await ask(s, { scope: " groups openid  roles api:read offline_access " }), "consent");
    expect((await openConsent(form, s.active, s.deps))?.scopes.map(({ name }) => name)).toEqual([
      "openid",
      "api:read",
      "offline_access",
    ]);
    const answer = await allowed(s, form);
    expect(answer).toMatchObject({ status: 200, body: { scope: "openid api:read offline_access" } });
    expect(notes(s)).toMatchObject([
      {
        endpoint: "/authorize",
        clientId: "shop-web",
        detail: { leftOut: "groups roles", granted: "openid api:read offline_access" },
      },
    ]);
    expect(await refresh(s, answer, "groups openid  api:read")).toMatchObject({
      status: 200,
      body: { scope: "openid api:read" },
    });
  });

  test("AZ-16: the ledger has one note an hour for a client that sends the same names again and again", async () => {
    const s = others();
    for (let times = 0; times < 3; times++) await ask(s, { scope: "groups api:read" });
    expect(notes(s)).toHaveLength(1);
    await ask(s, { scope: "roles api:read" });
    s.clock.now += 3600;
    await ask(s, { scope: "groups api:read" });
    expect(notes(s)).toHaveLength(3);
  });

  test("AZ-16 PA-02: are left out at /par, which notes them", async () => {
    const s = others();
    const pushed = await post(s, pushedAuthorizationRequest, [...query({ scope: "groups api:read" })], WEB);
    expect(pushed.status).toBe(201);
    const params = new URLSearchParams({ client_id: "shop-web", request_uri: textAt(pushed, "request_uri") });
    const form = sealedOf(await authorize(params, s.active, s.deps, s.caller), "consent");
    expect(await allowed(s, form)).toMatchObject({ status: 200, body: { scope: "api:read" } });
    expect(notes(s)).toMatchObject([{ endpoint: "/par", detail: { leftOut: "groups" } }]);
  });

  test("AZ-15 AZ-16: are left out at /device_authorization, and so are spaces", async () => {
    const s = others();
    s.changeClient("shop-cli", { grantTypes: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"] });
    const answer = await post(s, deviceAuthorization, { client_id: "shop-cli", scope: "  groups  api:read " });
    const [row] = s.tables.deviceCodes.values();
    expect([answer.status, row?.scope]).toEqual([200, "api:read"]);
    expect(notes(s)).toMatchObject([{ endpoint: "/device_authorization", clientId: "shop-cli" }]);
  });

  test.each([
    ["nothing is left", "groups roles"],
    ["only a standard scope is left that the client may not have", "groups phone"],
    ["a scope of an API that the client is not registered for is among them", "groups api:read stock:read"],
    ["a scope of the console is among them", "console:read groups api:read"],
    ["one is malformed", 'groups api:read "a"'],
  ])("AZ-16: invalid_scope at every endpoint if %s", async (_, scope) => {
    const s = others();
    s.changeClient("shop-web", { scopes: ["openid", "api:read"] });
    s.changeClient("shop-cli", {
      grantTypes: ["urn:ietf:params:oauth:grant-type:device_code"],
      scopes: ["openid", "api:read"],
    });
    expect(landed(await ask(s, { scope }))).toMatchObject({ error: "invalid_scope" });
    const invalid = { status: 400, body: { error: "invalid_scope" } };
    expect(await post(s, pushedAuthorizationRequest, [...query({ scope })], WEB)).toMatchObject(invalid);
    expect(await post(s, deviceAuthorization, { client_id: "shop-cli", scope })).toMatchObject(invalid);
    const own = basic("shop-worker", SERVICE_SECRET);
    expect(await post(s, token, { grant_type: "client_credentials", scope }, own)).toMatchObject(invalid);
    expect(notes(s)).toEqual([]);
  });

  test("AZ-16: a scope of a disabled API exists, so it is not left out", async () => {
    const s = others();
    s.tables.resources.set(STOCK.id, { ...STOCK, disabledAt: NOON });
    expect(landed(await ask(s, { scope: "api:read stock:read" }))).toMatchObject({ error: "invalid_scope" });
  });

  test("AZ-31 AZ-16: a name that comes to exist while the page is open is not granted, since the page did not show it", async () => {
    const s = scene();
    s.changeClient("shop-web", { origin: "dynamic", scopes: ["api:read", "stock:read"] });
    const form = sealedOf(await ask(s, { scope: "api:read stock:read" }), "consent");
    const view = await openConsent(form, s.active, s.deps);
    expect(view?.scopes.map(({ name }) => name)).toEqual(["api:read"]);
    s.tables.resources.set(STOCK.id, { ...STOCK, strangers: "asked" });
    s.clock.now += 1;
    const answer = await allowed(s, view?.request ?? "");
    expect(answer).toMatchObject({ status: 200, body: { scope: "api:read" } });
    const [code] = s.tables.codes.values();
    expect([code?.scope, code?.audience]).toEqual(["api:read", null]);
  });
});

describe("everything that our metadata lists, for another API", () => {
  /** A client that registered itself, and two APIs that allow such clients. */
  function connector(): Scene {
    const s = scene();
    for (const resource of [STOCK, MAIL]) s.tables.resources.set(resource.id, { ...resource, strangers: "asked" });
    const scopes = [...CATALOGUE.split(" "), "stock:read", "stock:write", "mail:send"];
    s.changeClient("shop-web", { origin: "dynamic", scopes, grantTypes: ["authorization_code", "refresh_token"] });
    return s;
  }
  const asked = { scope: CATALOGUE, resource: STOCK.id };

  test("CF-13: asks the user for the scopes that the client may have of that API, and for none of the own API", async () => {
    const s = connector();
    const form = sealedOf(await ask(s, asked), "consent");
    const shown = (await openConsent(form, s.active, s.deps))?.scopes.map(({ name }) => name);
    expect(shown).toEqual(["openid", "profile", "email", "offline_access", "stock:read", "stock:write"]);
    const answer = await allowed(s, form, { resource: STOCK.id });
    expect(answer).toMatchObject({ status: 200, body: { scope: "stock:read stock:write" } });
    expect(s.tables.accessTokens.get(storageHash(textAt(answer, "access_token")))?.audience).toBe(STOCK.id);
    expect(notes(s)).toMatchObject([{ detail: { leftOut: "api:read api:write" } }]);
    const again = await refresh(s, answer, CATALOGUE, { resource: STOCK.id });
    expect(again).toMatchObject({ status: 200, body: { scope: "stock:read stock:write" } });
  });

  test("AZ-31: a scope that the API gains while the page is open is not granted", async () => {
    const s = connector();
    s.changeClient("shop-web", { scopes: [...CATALOGUE.split(" "), "stock:read", "stock:write", "stock:admin"] });
    const form = sealedOf(await ask(s, asked), "consent");
    const view = await openConsent(form, s.active, s.deps);
    s.tables.resources.set(STOCK.id, {
      ...STOCK,
      strangers: "asked",
      scopes: [...STOCK.scopes, { name: "stock:admin", description: "" }],
    });
    s.clock.now += 1;
    expect(await allowed(s, view?.request ?? "", { resource: STOCK.id })).toMatchObject({
      body: { scope: "stock:read stock:write" },
    });
  });

  test.each<[string, Partial<Client>, Pairs]>([
    [
      "a client that skips consent",
      { firstParty: true, origin: "registered", options: { resources: [STOCK.id] } },
      asked,
    ],
    ["a part of the list", {}, { ...asked, scope: "openid api:read" }],
  ])("CF-13: stays invalid_scope for %s", async (_, change, request) => {
    const s = connector();
    s.changeClient("shop-web", change);
    await ask(s, request);
    expect(s.tables.refusals.at(-1)).toMatchObject({ error: "invalid_scope", cause: "scope_of_other_resource" });
  });

  test("CF-13: names of the API beside the list are all that is asked for", async () => {
    const s = connector();
    const form = sealedOf(await ask(s, { ...asked, scope: `${CATALOGUE} stock:read` }), "consent");
    expect(await allowed(s, form, { resource: STOCK.id })).toMatchObject({ body: { scope: "stock:read" } });
  });
});
