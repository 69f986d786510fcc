import { describe, expect, test } from "vitest";
import type { AuthorizeResult } from "../authorization/answer.ts";
import { decideConsent, openConsent } from "../consent.ts";
import { LIFETIME } from "../lifetimes.ts";
import { matchesChallenge } from "../pkce.ts";
import { sha256 } from "../secret.ts";
import { type ActiveSession, startSession } from "../session.ts";
import { CHALLENGE, ISSUER, type Scene, scene, VERIFIER } from "../testing/index.ts";
import { authorize, resumeAuthorization } from "./authorize.ts";

type Pairs = Record<string, string | undefined>;

const GOOD: Pairs = {
  response_type: "code",
  client_id: "shop-web",
  redirect_uri: "https://app.example/cb",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
  scope: "api:read",
  state: "s1",
};

const query = (change: Pairs = {}, more = "") => {
  const pairs = Object.entries({ ...GOOD, ...change }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return new URLSearchParams(`${new URLSearchParams(pairs)}${more}`);
};

const ask = (s: Scene, change: Pairs = {}, more = "", session: ActiveSession | undefined = s.active) =>
  authorize(query(change, more), session, s.deps, s.caller);

const noSession = (s: Scene, change: Pairs = {}) => authorize(query(change), undefined, s.deps, s.caller);

/** The parameters of a redirect to the client, and where it leads. */
function landed(result: AuthorizeResult) {
  if (result.kind !== "redirect") throw new Error(`expected a redirect, got ${result.kind}`);
  const [to = "", search = ""] = result.to.split("?");
  expect(result.to).not.toContain("#");
  return { to, ...Object.fromEntries(new URLSearchParams(search)) } as { to: string } & Record<string, string>;
}

const sealedOf = (result: AuthorizeResult, kind: "sign_in" | "consent") => {
  if (result.kind !== kind) throw new Error(`expected ${kind}, got ${result.kind}`);
  return result.request;
};

const signIn = async (s: Scene): Promise<ActiveSession> => {
  const { session } = await startSession({ user: s.user, previousHash: s.session.hash, userAgent: null, address: null }, s.deps);
  return { session, user: s.user };
};

/** A request the user has allowed before, so that a good one yields a code at once. */
function remembered(scope = "api:read") {
  const s = scene();
  s.tables.consents.set(`${s.user.id} shop-web`, { userId: s.user.id, clientId: "shop-web", scope, allowedAt: s.clock.now });
  return s;
}

describe("success", () => {
  test("AZ-19 AZ-20 code, state and iss, each once, in the query", async () => {
    const s = remembered();
    const answer = landed(await ask(s));
    expect(answer).toEqual({ to: "https://app.example/cb", code: expect.stringMatching(/^gac_[\w-]{43}$/), state: "s1", iss: ISSUER });
  });

  test("the code stands in the store as a hash, bound to all it was asked with, for 60 seconds", async () => {
    const s = remembered();
    const { code = "" } = landed(await ask(s));
    const row = s.tables.codes.get(sha256(code));
    expect(row).toMatchObject({
      clientId: "shop-web",
      userId: s.user.id,
      redirectUri: "https://app.example/cb",
      codeChallenge: CHALLENGE,
      scope: "api:read",
      authTime: s.session.authTime,
      expiresAt: s.clock.now + 60,
    });
    expect(matchesChallenge(VERIFIER, row?.codeChallenge ?? "")).toBe(true);
    expect(s.tables.grants.get(row?.grantId ?? "")).toMatchObject({
      clientId: "shop-web",
      userId: s.user.id,
      scope: "api:read",
      revokedAt: null,
    });
    expect(JSON.stringify([...s.tables.codes])).not.toContain(code);
    expect(code).not.toContain(CHALLENGE); // AZ-36
  });

  test("a crash between grant and code leaves nothing that works", async () => {
    const s = remembered();
    const deps = { ...s.deps, store: { ...s.store, saveCode: () => Promise.reject(new Error("disk full")) } };
    const answer = landed(await authorize(query(), s.active, deps, s.caller));
    expect(answer).toMatchObject({ error: "server_error", state: "s1", iss: ISSUER });
    expect(answer["code"]).toBeUndefined();
    expect(JSON.stringify(answer)).not.toContain("disk full");
    expect(s.tables.refusals.at(-1)).toMatchObject({ cause: "internal", message: expect.stringContaining("disk full") });
  });

  test("AZ-17 AZ-03 without state, or with an empty one, none comes back", async () => {
    expect(landed(await ask(remembered(), { state: undefined }))["state"]).toBeUndefined();
    expect(landed(await ask(remembered(), { state: "" }))["state"]).toBeUndefined();
  });

  test.each(['a b+c&d=e%20#é"<>', "x".repeat(128), "x".repeat(2000)])("AZ-17 the state %j comes back as sent", async (state) => {
    expect(landed(await ask(remembered(), { state }))["state"]).toBe(state);
  });

  test("AZ-19 RU-09 the query of the registered URI is kept", async () => {
    const s = scene();
    s.changeClient("other-web", { firstParty: true });
    const result = await ask(s, { client_id: "other-web", redirect_uri: "https://other.example/second?tenant=1" });
    expect(result.kind === "redirect" && result.to).toMatch(/^https:\/\/other\.example\/second\?tenant=1&code=gac_/);
  });

  test.each([
    ["AZ-02 unknown parameters, even repeated", {}, "&foo=1&foo=2"],
    ["a nonce without openid", { nonce: "n" }, ""],
    ["AZ-05 a parameter of another case", {}, "&Client_Id=x&STATE=y"],
    ["AZ-03 empty parameters", { response_mode: "", prompt: "", max_age: "", request: "" }, "&resource="],
    ["AZ-21 response_mode=query", { response_mode: "query" }, ""],
    ["CF-13 standard names the client lacks", { scope: "api:read address phone" }, ""],
    ["AZ-15 a repeated scope", { scope: "api:read api:read" }, ""],
    ["our resource", { resource: `${ISSUER}/api` }, ""],
    ["our resource with another case of the host", { resource: "https://GATE.example/api" }, ""],
    ["AZ-04 our resource twice", { resource: `${ISSUER}/api` }, `&resource=${encodeURIComponent(`${ISSUER}/api`)}`],
    ["a max_age not yet reached", { max_age: "60" }, ""],
    ["prompt=none with consent given", { prompt: "none" }, ""],
  ])("%s do not stand in the way", async (_, change, more) => {
    expect(landed(await ask(remembered(), change, more))["code"]).toBeDefined();
  });

  test("AZ-14 no scope means the client's default, all it may do at the API", async () => {
    const s = remembered("api:read api:write");
    const { code = "" } = landed(await ask(s, { scope: undefined }));
    expect(s.tables.codes.get(sha256(code))?.scope).toBe("api:read api:write");
  });

  test("NA-02 N06 a native app gets its answer at the port it asked for", async () => {
    const s = scene();
    const uri = "http://127.0.0.1:5999/cb";
    const sealed = sealedOf(await ask(s, { client_id: "shop-cli", redirect_uri: uri }), "consent");
    expect(landed(await decideConsent(sealed, "allow", s.active, s.deps, s.caller)).to).toBe(uri);
  });
});

describe("what is shown on our own page, never redirected", () => {
  test.each<[string, Pairs, string, string]>([
    ["AZ-06 N01 an unknown client", { client_id: "nobody" }, "", "client_unknown"],
    ["AZ-06 no client", { client_id: undefined }, "", "client_missing"],
    ["AZ-03 an empty client", { client_id: "" }, "", "client_missing"],
    ["AZ-06 a client id with a NUL", { client_id: "shop\0web" }, "", "client_unknown"],
    ["AZ-06 a client id of thousands", { client_id: "x".repeat(4000) }, "", "client_unknown"],
    ["AZ-06 a disabled client", { client_id: "shop-off" }, "", "client_disabled"],
    ["AZ-08 no redirect_uri", { redirect_uri: undefined }, "", "redirect_uri_missing"],
    ["AZ-03 an empty redirect_uri", { redirect_uri: "" }, "", "redirect_uri_missing"],
    ["N02 a trailing slash", { redirect_uri: "https://app.example/cb/" }, "", "redirect_uri_unregistered"],
    ["N03 an evil host", { redirect_uri: "https://app.example@evil/cb" }, "", "redirect_uri_unregistered"],
    ["a URI of another client", { redirect_uri: "https://other.example/cb" }, "", "redirect_uri_unregistered"],
    ["N04 client_id twice", {}, "&client_id=other-web", "parameter_repeated"],
    ["N04 redirect_uri twice", {}, "&redirect_uri=https://evil.example", "parameter_repeated"],
    ["N04 the same redirect_uri twice", {}, "&redirect_uri=https://app.example/cb", "parameter_repeated"],
  ])("%s", async (_, change, more, cause) => {
    const s = remembered();
    const result = await ask(s, change, more);
    expect(result).toMatchObject({ kind: "refuse", error: { status: 400, reason: cause } });
    expect(s.tables.refusals).toEqual([expect.objectContaining({ endpoint: "/authorize", cause })]);
    expect(result.kind === "refuse" && result.errorId).toBe(s.tables.refusals[0]?.errorId);
    expect(s.tables.codes.size).toBe(0);
  });

  test("AZ-18 up to 8192 characters are read, more is 414 and not cut", async () => {
    const room = 8192 - query({ state: "" }).toString().length;
    expect(landed(await ask(remembered(), { state: "x".repeat(room) }))["state"]).toHaveLength(room);
    expect(await ask(remembered(), { state: "x".repeat(room + 1) })).toMatchObject({ kind: "refuse", error: { status: 414 } });
  });

  test("D13 the ledger tells what the redirect URI should have been", async () => {
    const s = scene();
    await ask(s, { redirect_uri: "https://app.example/cB" });
    expect(s.tables.refusals[0]).toMatchObject({
      clientId: "shop-web",
      address: s.caller.address,
      detail: { sent: "https://app.example/cB", nearest: "https://app.example/cb", differsAt: 21 },
    });
  });

  test("a ledger that fails does not turn a refusal into a failure", async () => {
    const s = scene();
    const deps = { ...s.deps, store: { ...s.store, recordRefusal: () => Promise.reject(new Error("ledger full")) } };
    expect(await authorize(query({ client_id: "nobody" }), undefined, deps, s.caller)).toMatchObject({
      kind: "refuse",
      error: { status: 400 },
    });
  });
});

describe("what is told to the client by redirect", () => {
  const REFUSALS: [string, Pairs, string, string][] = [
    ["AZ-27 a request object", { request: "eyJ" }, "", "request_not_supported"],
    ["AZ-27 a request_uri", { request_uri: "https://evil.example/r" }, "", "request_uri_not_supported"],
    ["AZ-10 no response_type", { response_type: undefined }, "", "invalid_request"],
    ["N07 response_type=token", { response_type: "token" }, "", "unsupported_response_type"],
    ["N07 response_type=id_token", { response_type: "id_token" }, "", "unsupported_response_type"],
    ["N07 response_type=code token", { response_type: "code token" }, "", "unsupported_response_type"],
    ["N07 response_type=none", { response_type: "none" }, "", "unsupported_response_type"],
    ["N07 AZ-05 response_type=CODE", { response_type: "CODE" }, "", "unsupported_response_type"],
    ["N08 AZ-11 no code_challenge", { code_challenge: undefined, nonce: "n" }, "", "invalid_request"],
    ["AZ-11 no PKCE at all", { code_challenge: undefined, code_challenge_method: undefined }, "", "invalid_request"],
    ["N09 AZ-12 plain", { code_challenge_method: "plain" }, "", "invalid_request"],
    ["N09 AZ-12 no method", { code_challenge_method: undefined }, "", "invalid_request"],
    ["N09 AZ-05 s256", { code_challenge_method: "s256" }, "", "invalid_request"],
    ["N10 AZ-13 42 characters", { code_challenge: CHALLENGE.slice(1) }, "", "invalid_request"],
    ["N10 AZ-13 padding", { code_challenge: `${CHALLENGE}=` }, "", "invalid_request"],
    ["N11 AZ-04 scope twice", {}, "&scope=api:read", "invalid_request"],
    ["AZ-04 code_challenge twice, once empty", {}, "&code_challenge=", "invalid_request"],
    ["N12 AZ-16 an unknown scope", { scope: "admin:all" }, "", "invalid_scope"],
    ["N12 AZ-15 a quote in the scope", { scope: 'api:"read' }, "", "invalid_scope"],
    ["AZ-16 a console scope", { scope: "console:read" }, "", "invalid_scope"],
    ["N13 AZ-21 response_mode=fragment", { response_mode: "fragment" }, "", "invalid_request"],
    ["AZ-21 response_mode=web_message", { response_mode: "web_message" }, "", "invalid_request"],
    ["a foreign resource", { resource: "https://other.example/api" }, "", "invalid_target"],
    ["one foreign resource among two", { resource: `${ISSUER}/api` }, "&resource=https://other.example", "invalid_target"],
    ["N14 AZ-26 prompt=none login", { prompt: "none login" }, "", "invalid_request"],
    ["AZ-26 an unknown prompt", { prompt: "create" }, "", "invalid_request"],
    ["a max_age that is no number", { max_age: "soon" }, "", "invalid_request"],
    ["a negative max_age", { max_age: "-1" }, "", "invalid_request"],
  ];

  test.each(REFUSALS)("%s", async (_, change, more, error) => {
    const s = remembered();
    const answer = landed(await ask(s, change, more));
    const errorId = s.tables.refusals[0]?.errorId;
    expect(answer).toEqual({
      to: "https://app.example/cb",
      error,
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/), // AZ-25
      state: "s1",
      iss: ISSUER,
    });
    expect(answer["error_description"]).toContain(`(error_id: ${errorId})`);
    expect(s.tables.codes.size).toBe(0);
  });

  test.each(REFUSALS)("AZ-22 %s, before anyone signs in", async (_, change, more, error) => {
    const s = scene();
    expect(landed(await authorize(query(change, more), undefined, s.deps, s.caller))["error"]).toBe(error);
  });

  test("N11 AZ-04 state twice: the error comes without state", async () => {
    const answer = landed(await ask(remembered(), {}, "&state=s1"));
    expect(answer).toMatchObject({ error: "invalid_request", iss: ISSUER });
    expect(answer["state"]).toBeUndefined();
  });

  test("AZ-24 a client that is not registered for the grant", async () => {
    const s = remembered();
    s.changeClient("shop-web", { grantTypes: ["client_credentials"] });
    expect(landed(await ask(s))["error"]).toBe("unauthorized_client");
  });

  test("N15 a state that tries to break out comes back encoded, on errors too", async () => {
    for (const state of ["x\r\nSet-Cookie:a=b", '"><script>']) {
      const result = await ask(remembered(), { state, scope: "admin:all" });
      expect(result.kind === "redirect" && result.to).toMatch(/^[\x21\x23-\x3B\x3D\x3F-\x7E]+$/);
      expect(landed(result)["state"]).toBe(state);
    }
  });

  test("AZ-38 the order of the checks, each fault alone with all later ones", async () => {
    const faults: [Pairs, string, string][] = [
      [{ request: "eyJ" }, "", "request_object_unsupported"],
      [{}, "&scope=a", "parameter_repeated"],
      [{ response_type: "token" }, "", "response_type_unsupported"],
      [{ response_mode: "fragment" }, "", "response_mode_unsupported"],
      [{ code_challenge: undefined }, "", "pkce_missing"],
      [{ scope: "admin:all" }, "", "scope_unknown"],
      [{ resource: "https://other.example" }, "", "resource_unknown"],
      [{ prompt: "create" }, "", "prompt_invalid"],
      [{ max_age: "soon" }, "", "parameter_malformed"],
    ];
    for (const [at, [, , cause]] of faults.entries()) {
      const rest = faults.slice(at);
      const s = scene();
      await ask(s, Object.assign({}, ...rest.map(([change]) => change)), rest.map(([, more]) => more).join(""));
      expect(s.tables.refusals[0]?.cause).toBe(cause);
    }
  });
});

describe("signing in", () => {
  test("AZ-22 without a session the user signs in, and nothing is written", async () => {
    const s = scene();
    const result = await noSession(s, { login_hint: "ada@example.com" });
    expect(result).toMatchObject({ kind: "sign_in", loginHint: "ada@example.com" });
    expect([s.tables.codes.size, s.tables.grants.size, s.tables.refusals.length]).toEqual([0, 0, 0]);
  });

  test("AZ-31 the request survives the sign-in whole", async () => {
    const s = remembered();
    const state = 'a b+c&d=e%20#é"<>';
    const sealed = sealedOf(await noSession(s, { state }), "sign_in");
    expect(landed(await resumeAuthorization(sealed, await signIn(s), s.deps, s.caller))).toMatchObject({ code: expect.any(String), state });
  });

  test("AZ-31 resuming without a session asks to sign in once more", async () => {
    const s = scene();
    const sealed = sealedOf(await noSession(s), "sign_in");
    expect(await resumeAuthorization(sealed, undefined, s.deps, s.caller)).toMatchObject({ kind: "sign_in" });
  });

  test("AZ-31 after 30 minutes the request is over, and there is a way to begin again", async () => {
    const s = remembered();
    const sealed = sealedOf(await noSession(s), "sign_in");
    s.clock.now += LIFETIME.pendingRequestSeconds;
    const result = await resumeAuthorization(sealed, await signIn(s), s.deps, s.caller);
    expect(result).toMatchObject({ kind: "refuse", error: { status: 400, reason: "pending_request_expired" } });
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
  ])("AZ-31 %s does not resume anything", async (_, change) => {
    const s = scene();
    const sealed = sealedOf(await noSession(s), "sign_in");
    const consent = sealedOf(await ask(s), "consent");
    expect(await resumeAuthorization(change(sealed, consent), s.active, s.deps, s.caller)).toMatchObject({
      kind: "refuse",
      error: { status: 400 },
    });
  });

  test("RU-10 a redirect URI removed meanwhile is refused on resuming", async () => {
    const s = remembered();
    const sealed = sealedOf(await noSession(s), "sign_in");
    s.changeClient("shop-web", { redirectUris: ["https://app.example/new"] });
    expect(await resumeAuthorization(sealed, s.active, s.deps, s.caller)).toMatchObject({ error: { reason: "redirect_uri_unregistered" } });
  });

  test.each(["login", "select_account", "login consent"])("AZ-26 prompt=%s needs a sign-in newer than the request", async (prompt) => {
    const s = remembered();
    const sealed = sealedOf(await ask(s, { prompt }), "sign_in");
    expect(await resumeAuthorization(sealed, s.active, s.deps, s.caller)).toMatchObject({ kind: "sign_in" });
    const next = await resumeAuthorization(sealed, await signIn(s), s.deps, s.caller);
    expect(next.kind).toBe(prompt.includes("consent") ? "consent" : "redirect");
  });

  test("AZ-26 a session of the same second that was there before does not count as signed in again", async () => {
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
    ["AZ-32 an app that cannot prove itself", { client_id: "shop-cli", redirect_uri: "http://127.0.0.1/cb" }, true, "consent_required"],
  ])("AZ-26 prompt=none, %s: nothing is shown", async (_, change, signedIn, error) => {
    const s = remembered();
    s.tables.consents.set(`${s.user.id} shop-cli`, { userId: s.user.id, clientId: "shop-cli", scope: "api:read", allowedAt: 0 });
    const result = await authorize(query({ prompt: "none", ...change }), signedIn ? s.active : undefined, s.deps, s.caller);
    expect(landed(result)).toMatchObject({ error, state: "s1", iss: ISSUER });
  });
});

describe("consent", () => {
  const consent = async (s: Scene, change: Pairs = {}) => sealedOf(await ask(s, change), "consent");

  test("AZ-34 the page names client, host and each scope in words, new ones marked", async () => {
    const s = remembered();
    expect(await openConsent(await consent(s, { scope: "api:read api:write" }), s.active, s.deps)).toEqual({
      client: { clientId: "shop-web", applicationName: "Demo shop", environment: "production", type: "web" },
      redirectHost: "app.example",
      scopes: [
        { name: "api:read", description: "read your data through the API", isNew: false },
        { name: "api:write", description: "change your data through the API", isNew: true },
      ],
      unverified: false,
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

  test("allowing yields a code and is remembered, together with what was allowed before", async () => {
    const s = remembered();
    expect(
      landed(await decideConsent(await consent(s, { scope: "api:write" }), "allow", s.active, s.deps, s.caller))["code"],
    ).toBeDefined();
    expect((await s.store.findConsent(s.user.id, "shop-web"))?.split(" ").sort()).toEqual(["api:read", "api:write"]);
    expect((await ask(s, { scope: "api:write api:read" })).kind).toBe("redirect");
  });

  test("AZ-23 denying tells the client, with a long state, and gives no code", async () => {
    const s = scene();
    const state = "x".repeat(128);
    const answer = landed(await decideConsent(await consent(s, { state }), "deny", s.active, s.deps, s.caller));
    expect(answer).toMatchObject({ error: "access_denied", state, iss: ISSUER });
    expect([s.tables.codes.size, s.tables.grants.size, s.tables.consents.size]).toEqual([0, 0, 0]);
  });

  test("AZ-33 a larger scope is asked for again, a smaller one is not", async () => {
    expect((await ask(remembered("api:read"), { scope: "api:read api:write" })).kind).toBe("consent");
    expect((await ask(remembered("api:read api:write"), { scope: "api:write" })).kind).toBe("redirect");
  });

  test.each<[string, Pairs, string]>([
    ["a confidential client is remembered", {}, "redirect"],
    ["a public client on claimed https is remembered", { client_id: "shop-spa", redirect_uri: "https://spa.example/cb" }, "redirect"],
    ["a loopback client is asked every time", { client_id: "shop-cli", redirect_uri: "http://127.0.0.1:1234/cb" }, "consent"],
    ["a private-scheme client is asked every time", { client_id: "shop-cli", redirect_uri: "com.example.shop:/cb" }, "consent"],
    ["prompt=consent asks anyway", { prompt: "consent" }, "consent"],
  ])("AZ-32 %s", async (_, change, kind) => {
    const s = scene();
    for (const { clientId } of Object.values(s.clients)) {
      await s.store.saveConsent({ userId: s.user.id, clientId, scope: "api:read", now: s.clock.now });
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
    ["an altered value", async (s, sealed) => [`A${sealed.slice(1)}`, s.active]],
    ["a value for the sign-in step", async (s) => [sealedOf(await noSession(s), "sign_in"), s.active]],
    [
      "30 minutes later",
      async (s, sealed) => {
        s.clock.now += LIFETIME.pendingRequestSeconds;
        return [sealed, s.active];
      },
    ],
  ])("AZ-31 N16 %s can neither see nor decide it", async (_, change) => {
    const s = scene();
    const [sealed, session] = await change(s, await consent(s));
    expect(await openConsent(sealed, session, s.deps)).toBeUndefined();
    for (const decision of ["allow", "deny"] as const) {
      const result = await decideConsent(sealed, decision, session, s.deps, s.caller);
      expect(result).toMatchObject({ kind: "refuse", error: { reason: "pending_request_expired" } });
    }
    expect(s.tables.codes.size).toBe(0);
  });

  test("a client switched off while the page was open gets nothing", async () => {
    const s = scene();
    const sealed = await consent(s);
    s.changeClient("shop-web", { enabled: false });
    expect(await openConsent(sealed, s.active, s.deps)).toBeUndefined();
    expect(await decideConsent(sealed, "allow", s.active, s.deps, s.caller)).toMatchObject({ error: { reason: "client_disabled" } });
  });

  test("interop: prompt=consent, login_hint and max_age survive the sign-in", async () => {
    const s = remembered();
    const sealed = sealedOf(await noSession(s, { prompt: "consent", max_age: "100", login_hint: "ada@example.com" }), "sign_in");
    const active = await signIn(s);
    const next = await resumeAuthorization(sealed, active, s.deps, s.caller);
    expect(landed(await decideConsent(sealedOf(next, "consent"), "allow", active, s.deps, s.caller))["code"]).toBeDefined();
  });
});
