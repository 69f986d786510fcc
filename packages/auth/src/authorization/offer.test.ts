import { describe, expect, test } from "vitest";
import { authorize } from "../endpoints/authorize.ts";
import { deviceAuthorization } from "../endpoints/device-authorization.ts";
import { pushedAuthorizationRequest } from "../endpoints/par.ts";
import { token } from "../endpoints/token.ts";
import {
  type Answer,
  ask,
  basic,
  consentOf,
  decideDevice,
  landed,
  MAIL,
  type Pairs,
  post,
  query,
  registerResources,
  type Scene,
  STOCK,
  scene,
  sealedOf,
  textAt,
  VERIFIER,
  WEB_SECRET,
} from "../testing/index.ts";
import { decideConsent, openConsent } from "./consent.ts";
import { decideDeviceRequest, findDeviceRequest } from "./device.ts";

const WEB = basic("shop-web", WEB_SECRET);
const EVERYTHING = ["openid", "profile", "email", "offline_access", "api:read", "api:write", "stock:read", "mail:send"];

const byQuery = async (s: Scene, change: Pairs) => sealedOf(await ask(s, change), "consent");

/** The request is pushed, and opened with the reference. */
async function byPush(s: Scene, change: Pairs): Promise<string> {
  const pushed = await post(s, pushedAuthorizationRequest, [...query(change)], WEB);
  const params = new URLSearchParams({ client_id: "shop-web", request_uri: textAt(pushed, "request_uri") });
  return sealedOf(await authorize(params, s.active, s.deps, s.caller), "consent");
}

/** A scene in which the client may request little, and the APIs allow clients that no admin registered. */
function modest(): Scene {
  const s = scene();
  for (const resource of [STOCK, MAIL]) s.tables.resources.set(resource.id, { ...resource, strangers: "asked" });
  s.changeClient("shop-web", {
    origin: "dynamic",
    scopes: ["api:read"],
    grantTypes: ["authorization_code", "refresh_token"],
  });
  return s;
}

/** The user presses Allow on the page; the client redeems the code. */
async function allowed(s: Scene, form: string): Promise<Answer> {
  const { code = "" } = landed(await decideConsent(form, "allow", s.active, s.deps, s.caller));
  return post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER }, WEB);
}

describe("consent is for what the page showed", () => {
  const ways: [string, (s: Scene, change: Pairs) => Promise<string>, Pairs][] = [
    ["a request without a scope", byQuery, { scope: undefined }],
    ["a pushed request without a scope", byPush, { scope: undefined }],
    ["a request with standard scopes that were left out", byQuery, { scope: "api:read openid email offline_access" }],
    [
      "a pushed request with standard scopes that were left out",
      byPush,
      { scope: "api:read openid email offline_access" },
    ],
  ];

  test.each(ways)(
    "AZ-16 AZ-31 AZ-33 %s grants no more after the client widened its registration",
    async (_, open, change) => {
      const s = modest();
      const view = await openConsent(await open(s, change), s.active, s.deps);
      expect(view?.scopes.map(({ name }) => name)).toEqual(["api:read"]);
      s.changeClient("shop-web", { scopes: EVERYTHING });

      const { body } = await allowed(s, view?.request ?? "");
      expect(body["scope"]).toBe("api:read");
      expect(body).not.toHaveProperty("id_token");
      const [grant] = s.tables.grants.values();
      expect(grant?.scope).toBe("api:read");
      expect(await s.store.findConsent(s.user.id, "shop-web")).toMatchObject({
        scope: "api:read",
        audience: s.deps.config.resource,
      });
      const refreshed = await post(
        s,
        token,
        { grant_type: "refresh_token", refresh_token: textAt({ body } as Answer, "refresh_token") },
        WEB,
      );
      expect(refreshed.body["scope"]).toBe("api:read");
      for (const more of [
        { scope: "stock:read" },
        { resource: STOCK.id },
        { scope: "api:read offline_access openid" },
      ]) {
        const form = { grant_type: "refresh_token", refresh_token: textAt(refreshed, "refresh_token"), ...more };
        const answer = await post(s, token, form, WEB);
        if (answer.status === 200) expect(answer.body["scope"]).toBe("api:read");
        else expect(["invalid_scope", "invalid_target"]).toContain(answer.body["error"]);
      }
    },
  );

  test.each(ways)(
    "AZ-31 %s: nor is more shown than the client could request when the user was led to the page",
    async (_, open, change) => {
      const s = modest();
      const sealed = await open(s, change);
      s.changeClient("shop-web", { scopes: EVERYTHING });
      expect((await openConsent(sealed, s.active, s.deps))?.scopes.map(({ name }) => name)).toEqual(["api:read"]);
      expect((await allowed(s, sealed)).body["scope"]).toBe("api:read");
    },
  );

  test("AZ-33 what the client lost while the page was open is not granted, and nothing left is an error", async () => {
    const s = scene();
    const both = await byQuery(s, { scope: "api:read api:write" });
    s.changeClient("shop-web", { scopes: ["api:read"] });
    const refused = landed(await decideConsent(both, "allow", s.active, s.deps, s.caller));
    expect(refused).toMatchObject({ error: "invalid_scope" });

    const t = scene();
    const byDefault = await byQuery(t, { scope: undefined });
    t.changeClient("shop-web", { scopes: ["api:write", "openid"] });
    expect((await allowed(t, byDefault)).body["scope"]).toBe("api:write");
    const again = await byQuery(t, { scope: undefined, prompt: "consent" });
    t.changeClient("shop-web", { scopes: ["openid"] });
    expect(landed(await decideConsent(again, "allow", t.active, t.deps, t.caller))).toMatchObject({
      error: "invalid_scope",
    });
    expect(t.tables.codes.size).toBe(1);
  });

  test("AZ-33 an API that the page did not show is not in the grant, though its scope has the same name", async () => {
    const s = scene();
    registerResources(s, "shop-web");
    const sealed = await byQuery(s, { scope: "api:read stock:read" });
    s.tables.resources.set(STOCK.id, { ...STOCK, scopes: [] });
    s.tables.resources.set(MAIL.id, { ...MAIL, scopes: STOCK.scopes });
    s.clock.now += 2; // the list of APIs is read again
    await decideConsent(sealed, "allow", s.active, s.deps, s.caller);
    expect([...s.tables.codes.values()].map(({ audience }) => audience)).toEqual([null]);
  });

  test("AZ-33 a scope that moved to another API needs consent again", async () => {
    const s = scene();
    registerResources(s, "shop-web");
    await decideConsent(await byQuery(s, { scope: "stock:read" }), "allow", s.active, s.deps, s.caller);
    expect((await ask(s, { scope: "stock:read" })).kind).toBe("redirect");
    s.tables.resources.set(STOCK.id, { ...STOCK, scopes: [] });
    s.tables.resources.set(MAIL.id, { ...MAIL, scopes: STOCK.scopes });
    s.clock.now += 2;
    expect((await ask(s, { scope: "stock:read" })).kind).toBe("consent");
    expect(landed(await ask(s, { scope: "stock:read", prompt: "none" }))).toMatchObject({ error: "consent_required" });
  });
});

describe("consent is for the client that the page named", () => {
  const renamed = { applicationName: "Payroll (official)" };

  test.each<[string, (s: Scene) => void]>([
    ["its name", (s) => s.changeClient("shop-web", renamed)],
    ["its logo", (s) => s.changeClient("shop-web", { options: { logoUri: "https://logo.example/bank.png" } })],
    ["its terms", (s) => s.changeClient("shop-web", { options: { tosUri: "https://terms.example" } })],
    ["its approval", (s) => s.changeClient("shop-web", { approved: false })],
  ])(
    "CI-06 AZ-31 when %s changes while the page is open, Allow leads back to the page, and then counts",
    async (_, change) => {
      const s = scene();
      s.changeClient("shop-web", { origin: "dynamic", approved: true });
      const view = await openConsent(await byQuery(s, {}), s.active, s.deps);
      change(s);
      const back = await decideConsent(view?.request ?? "", "allow", s.active, s.deps, s.caller);
      expect([s.tables.codes.size, s.tables.consents.size]).toEqual([0, 0]);
      const shown = await openConsent(sealedOf(back, "consent"), s.active, s.deps);
      expect((await allowed(s, shown?.request ?? "")).status).toBe(200);
    },
  );

  test("AZ-23 Deny is an answer to the client, whatever its name is now", async () => {
    const s = scene();
    const sealed = await byQuery(s, {});
    s.changeClient("shop-web", renamed);
    expect(landed(await decideConsent(sealed, "deny", s.active, s.deps, s.caller))).toMatchObject({
      error: "access_denied",
    });
  });

  test.each<[string, Parameters<Scene["changeClient"]>[1], "registered" | "dynamic", string]>([
    ["another name", renamed, "registered", "consent"],
    ["another logo", { options: { logoUri: "https://logo.example/bank.png" } }, "registered", "consent"],
    [
      "a redirect URI more, which an admin added",
      { redirectUris: ["https://app.example/cb", "https://app.example/2"] },
      "registered",
      "redirect",
    ],
    ["more scopes to request", { scopes: EVERYTHING }, "registered", "redirect"],
    ["another name", renamed, "dynamic", "consent"],
    [
      "a redirect URI more",
      { redirectUris: ["https://app.example/cb", "https://app.example/2"] },
      "dynamic",
      "consent",
    ],
    ["its redirect URIs in another order", { redirectUris: ["https://app.example/cb"] }, "dynamic", "redirect"],
    ["other keys", { options: { jwksUri: "https://keys.example" } }, "dynamic", "consent"],
    ["more scopes to request", { scopes: EVERYTHING }, "dynamic", "redirect"],
  ])("AZ-32 CI-06 earlier consent and %s (%o, %s)", async (_, change, origin, kind) => {
    const s = scene();
    s.changeClient("shop-web", { origin });
    await s.store.saveConsent({
      userId: s.user.id,
      clientId: "shop-web",
      ...consentOf(s, "shop-web", "api:read"),
      now: s.clock.now,
    });
    expect((await ask(s)).kind).toBe("redirect");
    s.changeClient("shop-web", change);
    const asked = await ask(s);
    expect(asked.kind).toBe(kind);
    if (asked.kind !== "consent") return;
    const view = await openConsent(asked.request, s.active, s.deps);
    expect(view?.scopes).toMatchObject([{ name: "api:read", isNew: true }]);
  });

  test("CI-06 consent that is given while the client changes its name is not for the new name", async () => {
    const s = scene();
    s.changeClient("shop-web", { origin: "dynamic" });
    const before = consentOf(s, "shop-web", "api:read");
    s.changeClient("shop-web", renamed);
    // The late write
    await s.store.saveConsent({ userId: s.user.id, clientId: "shop-web", ...before, now: s.clock.now });
    expect((await ask(s)).kind).toBe("consent");
  });
});

describe("a device gets what its page showed", () => {
  const started = async (s: Scene) => textAt(await post(s, deviceAuthorization, { client_id: "shop-tv" }), "user_code");

  test("AZ-31 DF-09 a code without the page is not approved", async () => {
    const s = scene();
    const userCode = await started(s);
    for (const shown of ["", "altered", (await findDeviceRequest(await started(s), s.active, s.deps))?.shown ?? ""]) {
      expect(await decideDeviceRequest({ userCode, shown }, "allow", s.active, s.deps)).toEqual({ kind: "changed" });
    }
    expect(s.tables.grants.size).toBe(0);
  });

  test("CI-06 DF-09 nor is a page that named the client differently, or that another session saw", async () => {
    const s = scene();
    const userCode = await started(s);
    const view = await findDeviceRequest(userCode, s.active, s.deps);
    const other = { ...s.active, session: { ...s.session, id: "another" } };
    const form = { userCode, shown: view?.shown ?? "" };
    expect(await decideDeviceRequest(form, "allow", other, s.deps)).toEqual({ kind: "changed" });
    s.changeClient("shop-tv", { applicationName: "Payroll (official)" });
    expect(await decideDeviceRequest(form, "allow", s.active, s.deps)).toEqual({ kind: "changed" });
    expect(await decideDevice(s, userCode)).toEqual({ kind: "approved" });
  });
});
