import { createHash } from "node:crypto";
import { readJwt } from "@gatehouse/guard";
import { describe, expect, test } from "vitest";
import { SIGNING_ALGORITHMS } from "../clients/options.ts";
import { verifyJwt } from "../crypto/signing-keys.ts";
import { resumeAuthorization } from "../endpoints/authorize.ts";
import { token } from "../endpoints/token.ts";
import { userinfo } from "../endpoints/userinfo.ts";
import { ask, consentOf, landed, type Pairs, remembered, sealedOf, signIn } from "../testing/authorization.ts";
import { basic, post, textAt } from "../testing/requests.ts";
import { ISSUER, NEW_USER, NOON, type Scene, VERIFIER, WEB_SECRET } from "../testing/scene.ts";
import { readIdTokenHint } from "./id-token.ts";

const asWeb = basic("shop-web", WEB_SECRET);
const OPENID = "openid profile email offline_access api:read";

/** A whole code flow of the web client, as the signed-in user. */
async function signInto(s: Scene, change: Pairs = {}) {
  const { code = "" } = landed(await ask(s, { scope: OPENID, ...change }));
  return post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER }, asWeb);
}

const claimsOf = (idToken: string) => readJwt(idToken)?.claims;

describe("id tokens, OpenID Connect Core §2", () => {
  test("OI-01 contains who signed in, when and how, and the claims of the granted scopes", async () => {
    const s = remembered(OPENID);
    const answer = await signInto(s, { nonce: "n".repeat(384) });
    const idToken = textAt(answer, "id_token");
    expect(readJwt(idToken)?.header).toMatchObject({
      alg: "RS256",
      typ: "JWT",
      kid: expect.stringMatching(/^[\w-]{43}$/),
    });
    const digest = createHash("sha256").update(textAt(answer, "access_token")).digest();
    expect(claimsOf(idToken)).toEqual({
      iss: ISSUER,
      sub: s.user.id,
      aud: "shop-web",
      iat: NOON,
      exp: NOON + 3600,
      auth_time: s.session.authTime,
      nonce: "n".repeat(384),
      acr: "urn:gatehouse:acr:password",
      amr: ["pwd"],
      sid: s.session.id,
      at_hash: digest.subarray(0, 16).toString("base64url"),
      preferred_username: "ada@example.com",
      name: "Ada",
      email: "ada@example.com",
      email_verified: false,
    });
  });

  test.each([
    ["openid", {}],
    ["openid profile", { name: "Ada" }],
    ["openid email", { email: "ada@example.com", email_verified: false }],
    ["openid api:read", {}],
  ])("OI-05 for %s it contains no more than the user allowed", async (scope, personal) => {
    const claims = claimsOf(textAt(await signInto(remembered(scope), { scope }), "id_token")) ?? {};
    const { name, email, email_verified } = claims;
    expect(JSON.parse(JSON.stringify({ name, email, email_verified }))).toEqual(personal);
  });

  test("OI-05 a client set to minimal gets nothing personal, also on refresh; userinfo has it", async () => {
    const s = remembered(OPENID);
    s.changeClient("shop-web", { options: { idTokenClaims: "minimal" } });
    const first = await signInto(s);
    const again = await post(
      s,
      token,
      { grant_type: "refresh_token", refresh_token: textAt(first, "refresh_token") },
      asWeb,
    );
    for (const answer of [first, again]) {
      const claims = claimsOf(textAt(answer, "id_token")) ?? {};
      expect(Object.keys(claims).filter((name) => ["name", "email", "email_verified"].includes(name))).toEqual([]);
    }
    const asked = new Request(`${ISSUER}/userinfo`, {
      headers: { authorization: `Bearer ${textAt(first, "access_token")}` },
    });
    expect(await (await userinfo(asked, s.deps, s.caller)).json()).toMatchObject({
      name: "Ada",
      email: "ada@example.com",
    });
  });

  test("OI-05 a refreshed one has the user's current data, for the requested scope", async () => {
    const s = remembered(OPENID);
    const form = {
      grant_type: "refresh_token",
      refresh_token: textAt(await signInto(s), "refresh_token"),
      scope: "openid profile",
    };
    s.tables.users.set(s.user.id, { ...s.user, name: "Ada Lovelace" });
    const claims = claimsOf(textAt(await post(s, token, form, asWeb), "id_token"));
    expect(claims).toMatchObject({ sub: s.user.id, name: "Ada Lovelace" });
    expect(claims).not.toHaveProperty("email");
  });

  test("OI-01 without a nonce in the request it has none", async () => {
    const claims = claimsOf(textAt(await signInto(remembered(OPENID)), "id_token"));
    expect(claims).not.toHaveProperty("nonce");
  });

  test.each(SIGNING_ALGORITHMS)("OI-08 a client registered for %s gets that and never none", async (algorithm) => {
    const s = remembered(OPENID);
    s.changeClient("shop-web", { options: { idTokenAlgorithm: algorithm } });
    const idToken = textAt(await signInto(s), "id_token");
    const demand = { typ: "JWT", algorithms: [algorithm], issuer: ISSUER, audience: "shop-web" };
    expect(await verifyJwt(idToken, demand, s.deps)).toMatchObject({ sub: s.user.id });
  });

  test("OI-02 without openid there is none, even with a nonce", async () => {
    const answer = await signInto(remembered(OPENID), { scope: "profile api:read", nonce: "n1" });
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty("id_token");
  });

  test("OI-06 only offline_access brings a refresh token, and the user is asked for it", async () => {
    expect((await signInto(remembered(OPENID), { scope: "openid api:read" })).body).not.toHaveProperty("refresh_token");
    expect((await signInto(remembered(OPENID))).body).toHaveProperty("refresh_token");
    expect((await ask(remembered("openid api:read"), { scope: OPENID })).kind).toBe("consent");
  });

  test("RT-11 a refreshed one is about the same sign-in, without the nonce", async () => {
    const s = remembered(OPENID);
    const first = await signInto(s, { nonce: "n1" });
    s.clock.now += 300;
    const again = await post(
      s,
      token,
      { grant_type: "refresh_token", refresh_token: textAt(first, "refresh_token") },
      asWeb,
    );
    const [before, after] = [claimsOf(textAt(first, "id_token")), claimsOf(textAt(again, "id_token"))];
    const { iss, sub, aud, auth_time, sid, acr, amr } = before ?? {};
    expect(after).toMatchObject({ iss, sub, aud, auth_time, sid, acr, amr, iat: NOON + 300 });
    expect(after).not.toHaveProperty("nonce");
    expect(after?.["at_hash"]).not.toBe(before?.["at_hash"]);
  });

  test("RT-11 a refresh without openid returns none", async () => {
    const s = remembered(OPENID);
    const form = {
      grant_type: "refresh_token",
      refresh_token: textAt(await signInto(s), "refresh_token"),
      scope: "api:read",
    };
    expect((await post(s, token, form, asWeb)).body).not.toHaveProperty("id_token");
  });
});

describe("OI-04 id_token_hint", () => {
  const grace = {
    id: "user-grace",
    email: "grace@example.com",
    name: "Grace",
    role: "user",
    disabledAt: null,
    ...NEW_USER,
  } as const;
  async function hinted(): Promise<{ s: Scene; hint: string }> {
    const s = remembered(OPENID);
    const hint = textAt(await signInto(s), "id_token");
    s.clock.now += 86_400; // long expired, and good all the same
    return { s, hint };
  }

  test("of the signed-in user: no page is shown", async () => {
    const { s, hint } = await hinted();
    expect(landed(await ask(s, { scope: "openid", prompt: "none", id_token_hint: hint }))).toHaveProperty("code");
    expect(await readIdTokenHint(hint, s.deps)).toEqual({
      userId: s.user.id,
      clientId: "shop-web",
      sessionId: s.session.id,
    });
  });

  test("of another user: login_required with prompt=none, otherwise a sign-in that only that user can complete", async () => {
    const { s, hint } = await hinted();
    s.tables.users.set(grace.id, grace);
    s.tables.consents.set("user-grace shop-web", {
      userId: grace.id,
      clientId: "shop-web",
      ...consentOf(s, "shop-web", OPENID),
      allowedAt: NOON,
    });
    const asGrace = { session: { ...s.session, userId: grace.id }, user: grace };
    const silent = await ask(s, { scope: "openid", prompt: "none", id_token_hint: hint }, "", asGrace);
    expect(landed(silent)).toMatchObject({ error: "login_required" });

    const sealed = sealedOf(await ask(s, { scope: "openid", id_token_hint: hint }, "", asGrace), "sign_in");
    const began = { authTime: s.clock.now, createdAt: s.clock.now };
    const graceAgain = { session: { ...s.session, id: "another", userId: grace.id, ...began }, user: grace };
    expect(landed(await resumeAuthorization(sealed, graceAgain, s.deps, s.caller))).toMatchObject({
      error: "login_required",
    });
    expect(landed(await resumeAuthorization(sealed, await signIn(s), s.deps, s.caller))).toHaveProperty("code");
  });

  test.each([["garbage"], ["eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyLWdyYWNlIn0."]])(
    "an id_token_hint from another issuer is ignored: %s",
    async (id_token_hint) => {
      expect(landed(await ask(remembered(OPENID), { scope: "openid", id_token_hint }))).toHaveProperty("code");
    },
  );

  test.each([
    "display=popup",
    "ui_locales=de",
    "claims_locales=de",
    "acr_values=urn:x",
    'claims={"userinfo":{"email":null}}',
    "registration={}",
  ])("OI-07 %s is ignored", async (more) => {
    expect(landed(await ask(remembered(OPENID), { scope: "openid" }, `&${more}`))).toHaveProperty("code");
  });
});
