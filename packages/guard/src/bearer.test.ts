import { describe, expect, test } from "vitest";
import { checkToken, type FoundToken, readAuthorization, type SentToken, type TokenDemand } from "./bearer.ts";
import { challengeFor } from "./challenge.ts";
import { badProof } from "./dpop.ts";
import { GuardError, invalidToken } from "./error.ts";
import { ACR } from "./levels.ts";

const RESOURCE = "https://api.example/orders";
const METADATA = 'resource_metadata="https://api.example/.well-known/oauth-protected-resource/orders"';
const ALGS = 'algs="RS256 ES256 EdDSA Ed25519"';
const NOW = 1_800_000_000;

describe("the Authorization header", () => {
  test.each<[string, SentToken]>([
    ["Bearer token", { secret: "token", bound: false }],
    ["bEaReR   a-._~+/b==", { secret: "a-._~+/b==", bound: false }],
    ["DPoP token", { secret: "token", bound: true }],
    ["dpop token", { secret: "token", bound: true }],
  ])("BR-01 has a token, in any case of the scheme: %s", (header, sent) => {
    expect(readAuthorization(header)).toEqual(sent);
  });

  test.each([
    [null, "token_missing", 401],
    ["", "token_missing", 401],
    ["Bearer", "token_missing", 401],
    ["Basic c2hvcDp4", "token_missing", 401],
    ["Bearer two words", "token_malformed", 401],
    ['Bearer "quoted"', "token_malformed", 401],
    ["Bearer one, Bearer two", "authorization_repeated", 400],
  ])("BR-07 N36 N37 N38 has none that counts: %j is %s", (header, refusalCause, status) => {
    expect(() => readAuthorization(header)).toThrow(expect.objectContaining({ refusalCause, status }));
  });
});

/** The check of one token that is valid, as far as its lookup goes. */
function check(token: Partial<FoundToken>, demand: TokenDemand, sent: Partial<SentToken> = {}, proven = "key") {
  return checkToken({ secret: "secret", bound: false, ...sent }, demand, {
    find: async (secret) => {
      if (secret !== "secret") throw invalidToken("token_unknown", "no such token");
      return { scope: "read", context: null, ...token };
    },
    prove: async () => {
      if (proven === "") throw badProof("dpop_missing", "no DPoP header was sent");
      return proven;
    },
    describe: () => ({ tokenId: "id" }),
    now: () => NOW,
  });
}

describe("a token that was looked up", () => {
  const bound = { context: { dpopJkt: "key" } };

  test("BR-09 passes with every scope that is required, in any order", async () => {
    expect(await check({ scope: "b a c" }, { scope: ["a", "b"] })).toMatchObject({ scope: "b a c" });
    expect(await check({ scope: "" }, { scope: "" })).toMatchObject({ scope: "" });
  });

  test("BR-05 is rejected with the error of its lookup", async () => {
    await expect(check({}, { scope: "read" }, { secret: "other" })).rejects.toMatchObject({
      code: "invalid_token",
      refusalCause: "token_unknown",
      status: 401,
    });
  });

  test.each(["write", "read write", "reader"])("BR-06 is rejected with 403 without the scope %j", async (scope) => {
    await expect(check({}, { scope })).rejects.toMatchObject({
      code: "insufficient_scope",
      status: 403,
      detail: { needed: scope, held: "read" },
    });
  });

  test("DP-04 passes with a proof of its key", async () => {
    expect(await check(bound, { scope: "read" }, { bound: true })).toMatchObject(bound);
  });

  test.each<[string, Partial<FoundToken>, boolean, string, string]>([
    ["DP-05 a bound token as a bearer token", bound, false, "key", "token_scheme_wrong"],
    ["DP-05 an unbound token with the DPoP scheme", {}, true, "key", "token_scheme_wrong"],
    ["DP-04 a proof of another key", bound, true, "other", "dpop_key_differs"],
    ["DP-04 no proof", bound, true, "", "dpop_missing"],
  ])("%s is 401", async (_, token, sentBound, proven, refusalCause) => {
    await expect(check(token, { scope: "read" }, { bound: sentBound }, proven)).rejects.toMatchObject({
      refusalCause,
      status: 401,
    });
  });

  const signedIn = { context: { acr: ACR.password, authTime: NOW - 100 } };

  test("SU-01 passes with a sign-in that is strong and recent enough", async () => {
    expect(await check(signedIn, { scope: "", acr: [ACR.mfa, ACR.email], maxAgeSeconds: 100 })).toBeDefined();
  });

  test.each<[string, Partial<FoundToken>, Partial<TokenDemand>]>([
    ["a weaker sign-in", signedIn, { acr: ACR.mfa }],
    ["an older sign-in", signedIn, { maxAgeSeconds: 99 }],
    ["no sign-in", {}, { maxAgeSeconds: 1_000_000 }],
  ])("SU-01 with %s is 401", async (_, token, demand) => {
    await expect(check(token, { scope: "", ...demand })).rejects.toMatchObject({
      code: "insufficient_user_authentication",
      status: 401,
    });
  });
});

describe("the challenge", () => {
  const challenge = (error: GuardError, demand: TokenDemand = { scope: "read" }, authorization: string | null = null) =>
    challengeFor(error, authorization, demand, RESOURCE);
  const missing = new GuardError("invalid_token", "token_missing", "none", { description: "Send a token." });

  test("BR-04 DP-07 MC-09 without a token names no error, offers both schemes, and has scope and metadata", () => {
    expect(challenge(missing)).toBe(`Bearer realm="gatehouse", scope="read", ${METADATA}, DPoP ${ALGS}`);
    expect(challenge(missing, { scope: "" }, "DPoP")).toBe(`Bearer realm="gatehouse", ${METADATA}, DPoP ${ALGS}`);
  });

  test("BR-05 BR-08 of an invalid token has each attribute once", () => {
    const text = challenge(invalidToken("token_unknown", "x"), { scope: ["read", "write"] }, "Bearer x") ?? "";
    expect(text).toMatch(
      /^Bearer realm="gatehouse", error="invalid_token", error_description="[^"\\]+", scope="read write", /,
    );
    const names = [...text.matchAll(/(\w+)="/g)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test("DP-07 of a token with the DPoP scheme has that scheme alone", () => {
    const text = challenge(badProof("dpop_replayed", "used before"), undefined, "dpop x");
    expect(text).toBe(
      `DPoP realm="gatehouse", error="invalid_dpop_proof", error_description="DPoP: used before.", scope="read", ${METADATA}, ${ALGS}`,
    );
  });

  test("SU-01 of an insufficient sign-in says what to request", () => {
    const error = new GuardError("insufficient_user_authentication", "authentication_too_old", "old");
    const demand = { scope: "read", acr: [ACR.mfa, ACR.phr], maxAgeSeconds: 60 };
    expect(challenge(error, demand, "Bearer x")).toContain(`acr_values="${ACR.mfa} ${ACR.phr}", max_age="60"`);
  });

  test("of any other error does not exist", () => {
    const outage = { code: "temporarily_unavailable", refusalCause: "store", status: 503, description: undefined };
    expect(challengeFor(outage, null, { scope: "" }, RESOURCE)).toBeUndefined();
  });
});
