import { describe, expect, test } from "vitest";
import { resumeAuthorization } from "../endpoints/authorize.ts";
import { LIFETIME } from "../lifetimes.ts";
import type { ActiveSession } from "../sessions/session.ts";
import {
  ask,
  askSignedOut,
  consentOf,
  ISSUER,
  landed,
  type Pairs,
  remembered,
  type Scene,
  scene,
  sealedOf,
  signIn,
} from "../testing/index.ts";
import { decideConsent, openConsent } from "./consent.ts";

describe("consent", () => {
  const consent = async (s: Scene, change: Pairs = {}) => sealedOf(await ask(s, change), "consent");

  test("AZ-34 the page shows client, host and a description of each scope, with new ones marked", async () => {
    const s = remembered();
    expect(await openConsent(await consent(s, { scope: "api:read api:write" }), s.active, s.deps)).toEqual({
      request: expect.any(String),
      client: { clientId: "shop-web", applicationName: "Demo shop", environment: "production", type: "web" },
      redirectHost: "app.example",
      scopes: [
        { name: "api:read", description: "read your data through the API", resource: null, isNew: false },
        { name: "api:write", description: "change your data through the API", resource: null, isNew: true },
      ],
      unverified: false,
      testRun: false,
      selfDescribed: undefined,
      onThisMachine: false,
    });
  });

  test.each([
    ["http://127.0.0.1:5999/cb", "127.0.0.1:5999"],
    ["com.example.shop:/cb", "com.example.shop"],
  ])("NA-04 an app at %s is marked as unverified", async (redirect_uri, redirectHost) => {
    const s = scene();
    const view = await openConsent(await consent(s, { client_id: "shop-cli", redirect_uri }), s.active, s.deps);
    expect(view).toMatchObject({ unverified: true, redirectHost });
  });

  test.each([
    [
      "a native app on an https address it claims",
      "shop-cli",
      ["http://127.0.0.1/cb", "https://claimed.example/cb"],
      "https://claimed.example/cb",
    ],
    ["a single-page app that an admin registered", "shop-spa", ["https://spa.example/cb"], "https://spa.example/cb"],
    ["the same on a developer's machine", "shop-spa", ["http://localhost:5173/cb"], "http://localhost:5173/cb"],
  ])("NA-04 %s is not", async (_, client_id, redirectUris, redirect_uri) => {
    const s = scene();
    s.changeClient(client_id, { redirectUris });
    const view = await openConsent(await consent(s, { client_id, redirect_uri }), s.active, s.deps);
    expect(view).toMatchObject({ unverified: false, selfDescribed: undefined });
  });

  test("AZ-32 for an app that can be impersonated, no scope counts as allowed before", async () => {
    const s = scene();
    await s.store.saveConsent({
      userId: s.user.id,
      clientId: "shop-cli",
      ...consentOf(s, "shop-cli", "api:read"),
      now: s.clock.now,
    });
    const view = await openConsent(
      await consent(s, { client_id: "shop-cli", redirect_uri: "http://127.0.0.1/cb" }),
      s.active,
      s.deps,
    );
    expect(view?.scopes).toMatchObject([{ name: "api:read", isNew: true }]);
  });

  test("allowing returns a code and saves the consent together with earlier consent", async () => {
    const s = remembered();
    expect(
      landed(await decideConsent(await consent(s, { scope: "api:write" }), "allow", s.active, s.deps, s.caller))[
        "code"
      ],
    ).toBeDefined();
    expect((await s.store.findConsent(s.user.id, "shop-web"))?.scope.split(" ").sort()).toEqual([
      "api:read",
      "api:write",
    ]);
    expect((await ask(s, { scope: "api:write api:read" })).kind).toBe("redirect");
  });

  test("AZ-23 denying redirects an error, with a long state, and no code", async () => {
    const s = scene();
    const state = "x".repeat(128);
    const answer = landed(await decideConsent(await consent(s, { state }), "deny", s.active, s.deps, s.caller));
    expect(answer).toMatchObject({ error: "access_denied", state, iss: ISSUER });
    expect([s.tables.codes.size, s.tables.grants.size, s.tables.consents.size]).toEqual([0, 0, 0]);
  });

  test.each(["http://127.0.0.1:5999/cb", "com.example.shop:/cb"])(
    "AZ-32 first party or not, who anybody could pose as is asked about: %s",
    async (redirect_uri) => {
      const s = scene();
      s.changeClient("shop-cli", { firstParty: true });
      expect((await ask(s, { client_id: "shop-cli", redirect_uri })).kind).toBe("consent");
      expect(landed(await ask(s, { client_id: "shop-cli", redirect_uri, prompt: "none" }))).toMatchObject({
        error: "consent_required",
      });
    },
  );

  test("AZ-33 the user is asked again for a larger scope, not for a smaller one", async () => {
    expect((await ask(remembered("api:read"), { scope: "api:read api:write" })).kind).toBe("consent");
    expect((await ask(remembered("api:read api:write"), { scope: "api:write" })).kind).toBe("redirect");
  });

  test.each<[string, Pairs, string]>([
    ["a confidential client is remembered", {}, "redirect"],
    [
      "a public client on claimed https is remembered",
      { client_id: "shop-spa", redirect_uri: "https://spa.example/cb" },
      "redirect",
    ],
    [
      "a loopback client is asked every time",
      { client_id: "shop-cli", redirect_uri: "http://127.0.0.1:1234/cb" },
      "consent",
    ],
    [
      "a private-scheme client is asked every time",
      { client_id: "shop-cli", redirect_uri: "com.example.shop:/cb" },
      "consent",
    ],
    ["prompt=consent asks anyway", { prompt: "consent" }, "consent"],
  ])("AZ-32 %s", async (_, change, kind) => {
    const s = scene();
    for (const { clientId } of Object.values(s.clients)) {
      await s.store.saveConsent({
        userId: s.user.id,
        clientId,
        ...consentOf(s, clientId, "api:read"),
        now: s.clock.now,
      });
    }
    expect((await ask(s, change)).kind).toBe(kind);
  });

  test.each([
    ["is not asked", undefined, "redirect"],
    ["is asked with prompt=consent", "consent", "consent"],
  ])("a first-party client %s", async (_, prompt, kind) => {
    const s = scene();
    const own = {
      client_id: "gatehouse-console",
      redirect_uri: "https://admin.gate.example/auth/callback",
      scope: "console:read console:write",
    };
    expect((await ask(s, { ...own, prompt })).kind).toBe(kind);
    expect(s.tables.consents.size).toBe(0);
  });

  test.each<[string, (s: Scene, sealed: string) => Promise<[string, ActiveSession]>]>([
    ["another session", async (s, sealed) => [sealed, await signIn(s)]],
    ["an altered value", async (s, sealed) => [sealed.replace(/.$/, (last) => (last === "A" ? "Q" : "A")), s.active]],
    ["a value for the sign-in step", async (s) => [sealedOf(await askSignedOut(s), "sign_in"), s.active]],
    [
      "30 minutes later",
      async (s, sealed) => {
        s.clock.now += LIFETIME.pendingRequestSeconds;
        return [sealed, s.active];
      },
    ],
  ])("AZ-31 N16 %s can neither open nor decide it", async (_, change) => {
    const s = scene();
    const [sealed, session] = await change(s, await consent(s));
    expect(await openConsent(sealed, session, s.deps)).toBeUndefined();
    for (const decision of ["allow", "deny"] as const) {
      const result = await decideConsent(sealed, decision, session, s.deps, s.caller);
      expect(result).toMatchObject({ kind: "refuse", error: { refusalCause: "pending_request_expired" } });
    }
    expect(s.tables.codes.size).toBe(0);
  });

  test("a client that is disabled while the page is open gets nothing", async () => {
    const s = scene();
    const sealed = await consent(s);
    s.changeClient("shop-web", { enabled: false });
    expect(await openConsent(sealed, s.active, s.deps)).toBeUndefined();
    expect(await decideConsent(sealed, "allow", s.active, s.deps, s.caller)).toMatchObject({
      error: { refusalCause: "client_disabled" },
    });
  });

  test("interop: prompt=consent, login_hint and max_age survive the sign-in", async () => {
    const s = remembered();
    const sealed = sealedOf(
      await askSignedOut(s, { prompt: "consent", max_age: "100", login_hint: "ada@example.com" }),
      "sign_in",
    );
    const active = await signIn(s);
    const next = await resumeAuthorization(sealed, active, s.deps, s.caller);
    expect(
      landed(await decideConsent(sealedOf(next, "consent"), "allow", active, s.deps, s.caller))["code"],
    ).toBeDefined();
  });
});
