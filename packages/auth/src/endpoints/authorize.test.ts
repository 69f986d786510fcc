import { describe, expect, test } from "vitest";
import { decideConsent } from "../authorization/consent.ts";
import { matchesChallenge } from "../authorization/pkce.ts";
import { storageHash } from "../crypto/secret.ts";
import {
  ask,
  askSignedOut,
  CHALLENGE,
  ISSUER,
  landed,
  type Pairs,
  query,
  remembered,
  scene,
  sealedOf,
  VERIFIER,
} from "../testing/index.ts";
import { authorize } from "./authorize.ts";

describe("success", () => {
  test("AZ-19 AZ-20 AC-09 BB-01 SE-17 MC-03 code, state and iss, each once, in the query, and nothing else", async () => {
    const s = remembered();
    const answer = landed(await ask(s));
    expect(answer).toEqual({
      to: "https://app.example/cb",
      code: expect.stringMatching(/^gac_[\w-]{52}$/),
      state: "s1",
      iss: ISSUER,
    });
  });

  test("AC-07 AZ-36 the store has the code as a hash, bound to its request, for 60 seconds", async () => {
    const s = remembered();
    const { code = "" } = landed(await ask(s));
    const row = s.tables.codes.get(storageHash(code));
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
    expect(code).not.toContain(CHALLENGE);
  });

  test("a crash between grant and code leaves nothing usable", async () => {
    const s = remembered();
    const deps = { ...s.deps, store: { ...s.store, saveCode: () => Promise.reject(new Error("disk full")) } };
    const answer = landed(await authorize(query(), s.active, deps, s.caller));
    expect(answer).toMatchObject({ error: "server_error", state: "s1", iss: ISSUER });
    expect(answer["code"]).toBeUndefined();
    expect(JSON.stringify(answer)).not.toContain("disk full");
    expect(s.tables.refusals.at(-1)).toMatchObject({ cause: "internal", message: "unexpected: Error" });
  });

  test("AZ-17 AZ-03 without state, or with an empty one, none is returned", async () => {
    expect(landed(await ask(remembered(), { state: undefined }))["state"]).toBeUndefined();
    expect(landed(await ask(remembered(), { state: "" }))["state"]).toBeUndefined();
  });

  test.each(['a b+c&d=e%20#é"<>', "x".repeat(128), "x".repeat(2000)])(
    "AZ-17 the state %j is returned as sent",
    async (state) => {
      expect(landed(await ask(remembered(), { state }))["state"]).toBe(state);
    },
  );

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
  ])("%s are ignored", async (_, change, more) => {
    expect(landed(await ask(remembered(), change, more))["code"]).toBeDefined();
  });

  test("AZ-37 a repeated challenge or nonce is accepted", async () => {
    const s = remembered();
    const codes = [landed(await ask(s, { nonce: "n" }))["code"], landed(await ask(s, { nonce: "n" }))["code"]];
    expect(new Set(codes).size).toBe(2);
    expect(codes).not.toContain(undefined);
  });

  test("AZ-14 interop-7 without a scope the client gets its default, every API scope it has", async () => {
    const s = remembered("api:read api:write");
    const { code = "" } = landed(await ask(s, { scope: undefined }));
    expect(s.tables.codes.get(storageHash(code))?.scope).toBe("api:read api:write");
  });

  test("NA-02 N06 a native app gets the response at the port it requested", async () => {
    const s = scene();
    const uri = "http://127.0.0.1:5999/cb";
    const sealed = sealedOf(await ask(s, { client_id: "shop-cli", redirect_uri: uri }), "consent");
    expect(landed(await decideConsent(sealed, "allow", s.active, s.deps, s.caller)).to).toBe(uri);
  });
});

describe("errors that appear on our own page, never redirected", () => {
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
    expect(result).toMatchObject({ kind: "refuse", error: { status: 400, refusalCause: cause } });
    expect(s.tables.refusals).toEqual([expect.objectContaining({ endpoint: "/authorize", cause })]);
    expect(result.kind === "refuse" && result.errorId).toBe(s.tables.refusals[0]?.errorId);
    expect(s.tables.codes.size).toBe(0);
  });

  test("AZ-18 up to 8192 characters are accepted; more is 414", async () => {
    const room = 8192 - query({ state: "" }).toString().length;
    expect(landed(await ask(remembered(), { state: "x".repeat(room) }))["state"]).toHaveLength(room);
    expect(await ask(remembered(), { state: "x".repeat(room + 1) })).toMatchObject({
      kind: "refuse",
      error: { status: 414 },
    });
  });

  test("D13 the ledger has the nearest registered redirect URI", async () => {
    const s = scene();
    await ask(s, { redirect_uri: "https://app.example/cB" });
    expect(s.tables.refusals[0]).toMatchObject({
      clientId: "shop-web",
      address: s.caller.address,
      detail: { sent: "https://app.example/cB", nearest: "https://app.example/cb", differsAt: 21 },
    });
  });

  test("a failure of the ledger does not change the error", async () => {
    const s = scene();
    const deps = { ...s.deps, store: { ...s.store, recordRefusal: () => Promise.reject(new Error("ledger full")) } };
    expect(await authorize(query({ client_id: "nobody" }), undefined, deps, s.caller)).toMatchObject({
      kind: "refuse",
      error: { status: 400 },
    });
  });
});

describe("AZ-09 AZ-25 errors that are redirected to the client", () => {
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
    [
      "AZ-11 interop-19 no PKCE at all",
      { code_challenge: undefined, code_challenge_method: undefined },
      "",
      "invalid_request",
    ],
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
    ["AZ-05 AZ-21 response_mode=FORM_POST", { response_mode: "FORM_POST" }, "", "invalid_request"],
    ["AZ-04 AZ-21 response_mode twice", { response_mode: "form_post" }, "&response_mode=form_post", "invalid_request"],
    ["a foreign resource", { resource: "https://other.example/api" }, "", "invalid_target"],
    [
      "one foreign resource among two",
      { resource: `${ISSUER}/api` },
      "&resource=https://other.example",
      "invalid_target",
    ],
    ["N14 AZ-26 prompt=none login", { prompt: "none login" }, "", "invalid_request"],
    ["AZ-26 an unknown prompt", { prompt: "register" }, "", "invalid_request"],
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
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/),
      state: "s1",
      iss: ISSUER,
    });
    expect(answer["error_description"]).toContain(`(error_id: ${errorId})`);
    expect(s.tables.codes.size).toBe(0);
  });

  test.each(REFUSALS)("AZ-22 %s, before anyone signs in", async (_, change, more, error) => {
    const s = scene();
    expect(landed(await askSignedOut(s, change, more))["error"]).toBe(error);
  });

  test("N11 AZ-04 with state twice, the error has no state", async () => {
    const answer = landed(await ask(remembered(), {}, "&state=s1"));
    expect(answer).toMatchObject({ error: "invalid_request", iss: ISSUER });
    expect(answer["state"]).toBeUndefined();
  });

  test("AZ-24 a client that is not registered for the grant", async () => {
    const s = remembered();
    s.changeClient("shop-web", { grantTypes: ["client_credentials"] });
    expect(landed(await ask(s))["error"]).toBe("unauthorized_client");
  });

  test("AZ-21 with form_post, a code and every error are in a form for the redirect URI, with state and iss, and nothing is in the URL", async () => {
    const to = "https://app.example/cb";
    const sent = async (change: Pairs) => ask(remembered(), { response_mode: "form_post", ...change });
    const common = { state: "s1", iss: ISSUER };
    const code = { code: expect.stringMatching(/^gac_/), ...common };
    expect(await sent({})).toEqual({ kind: "form_post", to, host: "app.example", fields: code });
    const refused = { error: "invalid_request", error_description: expect.stringContaining("error_id"), ...common };
    expect(await sent({ prompt: "register" })).toMatchObject({ kind: "form_post", to, fields: refused });
    expect(await sent({ state: undefined })).toMatchObject({ fields: { code: expect.any(String), iss: ISSUER } });
    expect(Object.keys((await sent({ state: undefined })) as object)).not.toContain("state");
  });

  test("AZ-21 form_post to a private scheme is refused in the query: nothing can be posted to an app", async () => {
    const s = remembered();
    s.changeClient("shop-web", { type: "native", redirectUris: ["com.example.app:/cb"] });
    const answer = landed(await ask(s, { response_mode: "form_post", redirect_uri: "com.example.app:/cb" }));
    expect(answer).toMatchObject({ to: "com.example.app:/cb", error: "invalid_request", state: "s1" });
  });

  test("N15 a hostile state is returned encoded, also on errors", async () => {
    for (const state of ["x\r\nSet-Cookie:a=b", '"><script>']) {
      const result = await ask(remembered(), { state, scope: "admin:all" });
      expect(result.kind === "redirect" && result.to).toMatch(/^[\x21\x23-\x3B\x3D\x3F-\x7E]+$/);
      expect(landed(result)["state"]).toBe(state);
    }
  });

  test("AZ-38 the order of the checks: each error takes precedence over all later ones", async () => {
    const faults: [Pairs, string, string][] = [
      [{ request: "eyJ" }, "", "request_object_unsupported"],
      [{}, "&scope=a", "parameter_repeated"],
      [{ response_type: "token" }, "", "response_type_unsupported"],
      [{ response_mode: "fragment" }, "", "response_mode_unsupported"],
      [{ code_challenge: undefined }, "", "pkce_missing"],
      [{ scope: "admin:all" }, "", "scope_unknown"],
      [{ resource: "https://other.example" }, "", "resource_unknown"],
      [{ prompt: "register" }, "", "prompt_invalid"],
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
