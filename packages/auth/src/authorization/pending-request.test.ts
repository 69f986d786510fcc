import { describe, expect, test } from "vitest";
import { authorize, resumeAuthorization } from "../endpoints/authorize.ts";
import { LIFETIME } from "../lifetimes.ts";
import { UNDATED_AMR } from "../sessions/levels.ts";
import {
  ask,
  askSignedOut,
  consentOf,
  ISSUER,
  landed,
  type Pairs,
  query,
  remembered,
  scene,
  sealedOf,
  signIn,
} from "../testing/index.ts";
import { describePendingRequest } from "./pending-request.ts";

describe("signing in", () => {
  test("AZ-22 without a session the user must sign in, and nothing is written", async () => {
    const s = scene();
    const result = await askSignedOut(s, { login_hint: "ada@example.com" });
    expect(result).toMatchObject({ kind: "sign_in", loginHint: "ada@example.com" });
    expect([s.tables.codes.size, s.tables.grants.size, s.tables.refusals.length]).toEqual([0, 0, 0]);
  });

  test("AZ-31 the request survives sign-in unchanged", async () => {
    const s = remembered();
    const state = 'a b+c&d=e%20#é"<>';
    const sealed = sealedOf(await askSignedOut(s, { state }), "sign_in");
    expect(landed(await resumeAuthorization(sealed, await signIn(s), s.deps, s.caller))).toMatchObject({
      code: expect.any(String),
      state,
    });
  });

  test("AZ-31 resuming without a session requires sign-in again", async () => {
    const s = scene();
    const sealed = sealedOf(await askSignedOut(s), "sign_in");
    expect(await resumeAuthorization(sealed, undefined, s.deps, s.caller)).toMatchObject({ kind: "sign_in" });
  });

  test("AZ-31 after 30 minutes the request has expired and can be restarted", async () => {
    const s = remembered();
    const sealed = sealedOf(await askSignedOut(s), "sign_in");
    s.clock.now += LIFETIME.pendingRequestSeconds;
    const result = await resumeAuthorization(sealed, await signIn(s), s.deps, s.caller);
    expect(result).toMatchObject({ kind: "refuse", error: { status: 400, refusalCause: "pending_request_expired" } });
    const restart = result.kind === "refuse" ? (result.restart ?? "") : "";
    expect(restart.startsWith("/authorize?")).toBe(true);
    const again = await authorize(new URLSearchParams(restart.split("?")[1]), await signIn(s), s.deps, s.caller);
    expect(landed(again)).toMatchObject({ code: expect.any(String), state: "s1" });
  });

  test.each([
    ["an altered value", (sealed: string) => `${sealed.slice(0, -2)}xx`],
    ["a value for the consent step", (_: string, consent: string) => consent],
    ["nothing", () => ""],
    ["garbage", () => "%%%"],
  ])("AZ-31 %s cannot be resumed", async (_, change) => {
    const s = scene();
    const sealed = sealedOf(await askSignedOut(s), "sign_in");
    const consent = sealedOf(await ask(s), "consent");
    expect(await resumeAuthorization(change(sealed, consent), s.active, s.deps, s.caller)).toMatchObject({
      kind: "refuse",
      error: { status: 400 },
    });
  });

  test("RU-10 a redirect URI that was removed meanwhile is rejected on resuming", async () => {
    const s = remembered();
    const sealed = sealedOf(await askSignedOut(s), "sign_in");
    s.changeClient("shop-web", { redirectUris: ["https://app.example/new"] });
    expect(await resumeAuthorization(sealed, s.active, s.deps, s.caller)).toMatchObject({
      error: { refusalCause: "redirect_uri_unregistered" },
    });
  });

  test.each(["login", "select_account", "login consent"])(
    "AZ-26 prompt=%s requires a sign-in after the request",
    async (prompt) => {
      const s = remembered();
      const sealed = sealedOf(await ask(s, { prompt }), "sign_in");
      expect(await resumeAuthorization(sealed, s.active, s.deps, s.caller)).toMatchObject({ kind: "sign_in" });
      const next = await resumeAuthorization(sealed, await signIn(s), s.deps, s.caller);
      expect(next.kind).toBe(prompt.includes("consent") ? "consent" : "redirect");
    },
  );

  test.each([
    ["select_account", "redirect"],
    ["create", "redirect"],
    ["login", "sign_in"],
  ])("AZ-26 prompt=%s and a provider that reports an old sign-in for the new session: %s", async (prompt, kind) => {
    const s = remembered();
    const sealed = sealedOf(await ask(s, { prompt }), "sign_in");
    const chosen = await signIn(s);
    Object.assign(chosen.session, { method: "upstream", authTime: s.clock.now - 3600 });
    expect((await resumeAuthorization(sealed, chosen, s.deps, s.caller)).kind).toBe(kind);
  });

  test("UP-13 AZ-26 the clock of a provider may be half a minute behind", async () => {
    const s = remembered();
    const sealed = sealedOf(await ask(s, { prompt: "login" }), "sign_in");
    const renewed = await signIn(s);
    Object.assign(renewed.session, { method: "upstream", authTime: s.clock.now - 30 });
    expect((await resumeAuthorization(sealed, renewed, s.deps, s.caller)).kind).toBe("redirect");
  });

  test.each([
    ["prompt=login", { prompt: "login select_account" }, "sign_in"],
    ["max_age", { max_age: "3600" }, "sign_in"],
    ["no demand", {}, "redirect"],
  ])(
    "UP-13 AZ-26 a new session of a provider that does not say when its user signed in, for a request with %s: %s",
    async (_, asked, kind) => {
      const s = remembered();
      const sealed = sealedOf(await ask(s, { prompt: "select_account", ...asked }), "sign_in");
      const silent = await signIn(s);
      Object.assign(silent.session, { method: "upstream", amr: [UNDATED_AMR] });
      expect((await resumeAuthorization(sealed, silent, s.deps, s.caller)).kind).toBe(kind);
    },
  );

  test("AZ-26 an earlier session of the same second does not count as a new sign-in", async () => {
    const s = remembered();
    const active = await signIn(s);
    const sealed = sealedOf(await ask(s, { prompt: "login" }, "", active), "sign_in");
    expect((await resumeAuthorization(sealed, active, s.deps, s.caller)).kind).toBe("sign_in");
  });

  test.each([
    ["59", "sign_in"],
    ["60", "redirect"],
    ["0", "sign_in"],
  ])("max_age=%s with a sign-in 60 seconds ago: %s", async (max_age, kind) => {
    const s = remembered();
    const result = await ask(s, { max_age });
    expect(result.kind).toBe(kind);
    if (result.kind !== "sign_in") return;
    s.clock.now += 5;
    expect((await resumeAuthorization(result.request, await signIn(s), s.deps, s.caller)).kind).toBe("redirect");
  });

  test.each<[string, Pairs, boolean, string]>([
    ["N14 no session", {}, false, "login_required"],
    ["a session older than max_age", { max_age: "5" }, true, "login_required"],
    ["consent missing", { scope: "api:read api:write" }, true, "consent_required"],
    [
      "AZ-32 an app that cannot prove itself",
      { client_id: "shop-cli", redirect_uri: "http://127.0.0.1/cb" },
      true,
      "consent_required",
    ],
  ])("AZ-26 prompt=none, %s: no page is shown", async (_, change, signedIn, error) => {
    const s = remembered();
    s.tables.consents.set(`${s.user.id} shop-cli`, {
      userId: s.user.id,
      clientId: "shop-cli",
      ...consentOf(s, "shop-cli", "api:read"),
      allowedAt: 0,
    });
    const result = await authorize(
      query({ prompt: "none", ...change }),
      signedIn ? s.active : undefined,
      s.deps,
      s.caller,
    );
    expect(landed(result)).toMatchObject({ error, state: "s1", iss: ISSUER });
  });
});

describe("describePendingRequest", () => {
  test("names the app of the request until it expires", async () => {
    const s = scene();
    const sealed = sealedOf(await askSignedOut(s, { login_hint: "ada@example.com" }), "sign_in");
    expect(await describePendingRequest(sealed, s.deps)).toEqual({
      clientId: "shop-web",
      applicationName: "Demo shop",
      loginHint: "ada@example.com",
    });
    s.clock.now += LIFETIME.pendingRequestSeconds;
    expect(await describePendingRequest(sealed, s.deps)).toBeUndefined();
    expect(await describePendingRequest("garbage", s.deps)).toBeUndefined();
  });
});
