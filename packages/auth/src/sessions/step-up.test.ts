import { ACR, type AuthenticationDemand } from "@gatehouse/guard";
import { describe, expect, test } from "vitest";
import { decideConsent } from "../authorization/consent.ts";
import { mintAccessToken } from "../crypto/secret.ts";
import { introspect } from "../endpoints/introspect.ts";
import { token } from "../endpoints/token.ts";
import { requireBearer } from "../guard/bearer.ts";
import type { TokenContext } from "../store/access-tokens.ts";
import { ask, landed, remembered, sealedOf } from "../testing/authorization.ts";
import { basic, post, type Scene, scene, textAt, VERIFIER, WEB_SECRET } from "../testing/index.ts";
import { CONFIRMED_AMR, UNDATED_AMR } from "./levels.ts";

/** Calls an API with an access token that carries this context. */
async function call(s: Scene, context: TokenContext | null, demand: AuthenticationDemand) {
  const { secret, hash } = mintAccessToken(s.clock.now + 600, s.deps.random);
  const { clientId, environment } = s.clients.web;
  await s.store.saveAccessToken({
    hash,
    id: "t",
    grantId: null,
    clientId,
    userId: s.user.id,
    scope: "api:read",
    audience: s.deps.config.resource,
    environment,
    context,
    clientEpoch: 0,
    issuedAt: s.clock.now,
    expiresAt: s.clock.now + 600,
  });
  const request = new Request("https://gate.example/api/resource", { headers: { authorization: `Bearer ${secret}` } });
  return requireBearer(request, { scope: "api:read", ...demand }, s.deps, s.caller);
}

const recent = (s: Scene, secondsAgo: number): TokenContext => ({
  authTime: s.clock.now - secondsAgo,
  acr: ACR.password,
  amr: ["pwd"],
});

describe("step-up, RFC 9470", () => {
  test.each<[string, AuthenticationDemand, string]>([
    ["another context", { acr: "urn:example:mfa" }, 'acr_values="urn:example:mfa"'],
    [
      "one of two others",
      { acr: ["urn:example:mfa", "urn:example:hardware"] },
      'acr_values="urn:example:mfa urn:example:hardware"',
    ],
    ["a more recent sign-in", { maxAgeSeconds: 59 }, 'max_age="59"'],
    ["both", { acr: "urn:example:mfa", maxAgeSeconds: 59 }, 'acr_values="urn:example:mfa", max_age="59"'],
  ])("SU-01: a route that requires %s responds 401 and says what to request", async (_, demand, attributes) => {
    const s = scene();
    const result = await call(s, recent(s, 60), demand);
    if (result.ok) throw new Error("let through");
    expect(result.response.status).toBe(401);
    expect(await result.response.json()).toMatchObject({ error: "insufficient_user_authentication" });
    const challenge = result.response.headers.get("www-authenticate");
    expect(challenge).toMatch(/^Bearer realm="gatehouse", error="insufficient_user_authentication", /);
    expect(challenge).toContain(attributes);
  });

  test.each<[string, AuthenticationDemand]>([
    ["nothing", {}],
    ["a password", { acr: ACR.password }],
    ["a password or more", { acr: [ACR.password, "urn:example:mfa"] }],
    ["a sign-in a minute ago at most", { maxAgeSeconds: 60 }],
  ])("SU-01: a sign-in a minute ago satisfies %s", async (_, demand) => {
    const s = scene();
    expect(await call(s, recent(s, 60), demand)).toMatchObject({ ok: true });
  });

  test.each<[string, AuthenticationDemand]>([
    ["any context", { acr: ACR.password }],
    ["any age", { maxAgeSeconds: 86_400 }],
  ])("SU-01: a token without a sign-in never satisfies %s", async (_, demand) => {
    expect(await call(scene(), null, demand)).toMatchObject({ ok: false });
  });

  test("SU-01 IN-03: codes, tokens and refreshed tokens carry when and how the user signed in, and introspection returns it", async () => {
    const s = remembered();
    const auth = basic("shop-web", WEB_SECRET);
    const { code = "" } = landed(await ask(s));
    const first = await post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER }, auth);
    s.clock.now += 300;
    const second = await post(
      s,
      token,
      { grant_type: "refresh_token", refresh_token: textAt(first, "refresh_token") },
      auth,
    );
    for (const answer of [first, second]) {
      const told = await post(s, introspect, { token: textAt(answer, "access_token") }, auth);
      expect(told.body).toMatchObject({ active: true, auth_time: s.session.authTime, acr: ACR.password, amr: ["pwd"] });
    }
  });

  test.each([
    ["", [UNDATED_AMR]],
    [", after a confirmation there", [UNDATED_AMR, CONFIRMED_AMR]],
  ])(
    "UP-13 SU-01 OI-01 a sign-in at a provider that does not say when it was%s satisfies no age, and no token or answer says when",
    async (_, amr) => {
      const s = scene();
      const auth = basic("shop-web", WEB_SECRET);
      Object.assign(s.session, { method: "upstream", acr: ACR.upstream, amr });
      const asked = sealedOf(await ask(s, { scope: "openid offline_access api:read" }), "consent");
      const { code = "" } = landed(await decideConsent(asked, "allow", s.active, s.deps, s.caller));
      const first = await post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER }, auth);
      const second = await post(
        s,
        token,
        { grant_type: "refresh_token", refresh_token: textAt(first, "refresh_token") },
        auth,
      );
      for (const answer of [first, second]) {
        const headers = { authorization: `Bearer ${textAt(answer, "access_token")}` };
        const check = (demand: AuthenticationDemand) =>
          requireBearer(
            new Request("https://gate.example/api/resource", { headers }),
            { scope: [], ...demand },
            s.deps,
            s.caller,
          );
        expect([(await check({})).ok, (await check({ maxAgeSeconds: 86_400 })).ok]).toEqual([true, false]);
        const told = await post(s, introspect, { token: textAt(answer, "access_token") }, auth);
        expect(told.body).toMatchObject({ active: true, acr: ACR.upstream });
        const claims = Buffer.from(textAt(answer, "id_token").split(".")[1] ?? "", "base64url").toString();
        expect(JSON.parse(claims)).toMatchObject({ acr: ACR.upstream, sid: s.session.id });
        for (const said of [JSON.stringify(told.body), claims]) {
          for (const unsaid of ["auth_time", ...amr]) expect(said).not.toContain(unsaid);
        }
      }
    },
  );

  test.each([
    ["acr_values that we do not know: they are a wish", { acr_values: "urn:example:mfa" }],
    ["an acr that is not essential", { claims: '{"id_token":{"acr":{"values":["urn:example:mfa"]}}}' }],
    [
      "an essential acr that we know",
      { claims: `{"id_token":{"acr":{"essential":true,"values":["urn:example:mfa","${ACR.password}"]}}}` },
    ],
    ["an essential acr without a value", { claims: '{"id_token":{"acr":{"essential":true}}}' }],
    ["claims that are no JSON", { claims: "{" }],
    ["claims that are no object", { claims: '[["acr"]]' }],
  ])("SU-01: the authorization endpoint accepts %s", async (_, change) => {
    expect(landed(await ask(remembered(), change))).toHaveProperty("code");
  });

  test.each([
    ["a list", '{"id_token":{"acr":{"essential":true,"values":["urn:example:mfa"]}}}'],
    ["one value", '{"id_token":{"acr":{"essential":true,"value":"urn:example:mfa"}}}'],
    ["userinfo", '{"userinfo":{"acr":{"essential":true,"value":"urn:example:mfa"}}}'],
  ])("SU-01: an unsupported essential acr is an error (%s)", async (_, claims) => {
    const s = remembered();
    expect(landed(await ask(s, { claims }))).toMatchObject({ error: "unmet_authentication_requirements", state: "s1" });
    expect(s.tables.codes.size).toBe(0);
  });
});
