import { describe, expect, test } from "vitest";
import { storageHash } from "../crypto/secret.ts";
import { token } from "../endpoints/token.ts";
import { requireBearer } from "../guard/bearer.ts";
import { type Answer, basic, post, type Scene, scene, textAt, VERIFIER, WEB_SECRET } from "../testing/index.ts";

const WRONG = "x".repeat(43);

const trade = (
  s: Scene,
  code: string,
  change: Record<string, string> = {},
  headers: Record<string, string> = basic("shop-web", WEB_SECRET),
) => post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER, ...change }, headers);

async function opensApi(s: Scene, answer: Answer): Promise<boolean> {
  const request = new Request("https://gate.example/api/resource", {
    headers: { authorization: `Bearer ${textAt(answer, "access_token")}` },
  });
  return (await requireBearer(request, { scope: "api:read" }, s.deps, s.caller)).ok;
}

const lastCause = (s: Scene) => s.tables.refusals.at(-1)?.cause;

describe("authorization_code grant, OAuth 2.1 §4.1.3", () => {
  test("TK-08 TK-09 TK-15 AC-08 interop-14: exchanges a live code for an access and a refresh token with the granted scope", async () => {
    const s = scene();
    const answer = await trade(s, await s.plantCode());
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^gat_[A-Za-z0-9_-]{52}$/),
      token_type: "Bearer",
      expires_in: 600,
      scope: "api:read api:write",
      refresh_token: expect.stringMatching(/^grt_[A-Za-z0-9_-]{96}$/),
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await opensApi(s, answer)).toBe(true);
  });

  test("SE-06: the store holds neither token in clear", async () => {
    const s = scene();
    const answer = await trade(s, await s.plantCode());
    const stored = JSON.stringify([...s.tables.accessTokens, ...s.tables.refreshFamilies, ...s.tables.codes]);
    expect(stored).not.toContain(textAt(answer, "access_token"));
    expect(stored).not.toContain(textAt(answer, "refresh_token"));
  });

  test("D11 SE-19: the token is short-lived, for one resource and scope, and of its client's environment", async () => {
    const s = scene();
    s.changeClient("shop-web", { environment: "staging" });
    const answer = await trade(s, await s.plantCode());
    expect(s.tables.accessTokens.get(storageHash(textAt(answer, "access_token")))).toMatchObject({
      environment: "staging",
      audience: "https://gate.example/api",
      scope: "api:read api:write",
      expiresAt: s.clock.now + 600,
    });
  });

  test.each([
    ["openid without offline_access", "openid api:read", false],
    ["openid with offline_access", "openid offline_access api:read", true],
    ["no openid", "api:read", true],
  ])("AC-08: %s", async (_, scope, refreshable) => {
    const s = scene();
    const answer = await trade(s, await s.plantCode({ scope }));
    expect("refresh_token" in answer.body).toBe(refreshable);
  });

  test("AC-08: a client without the refresh_token grant gets none", async () => {
    const s = scene();
    s.changeClient("shop-web", { grantTypes: ["authorization_code"] });
    expect((await trade(s, await s.plantCode())).body).not.toHaveProperty("refresh_token");
  });

  test.each([
    ["AC-02 an unknown code", { code: "guess" }, "invalid_grant", "code_unknown"],
    ["PK-02 N27 a wrong verifier", { code_verifier: WRONG }, "invalid_grant", "verifier_wrong"],
    ["PK-03 CF-10 N27 a missing verifier", { code_verifier: "" }, "invalid_grant", "verifier_missing"],
    [
      "PK-01 N27 a verifier of 42 characters",
      { code_verifier: "x".repeat(42) },
      "invalid_request",
      "verifier_malformed",
    ],
    ["PK-01 a verifier of 129 characters", { code_verifier: "x".repeat(129) }, "invalid_request", "verifier_malformed"],
    ["PK-01 a verifier with a plus sign", { code_verifier: `${WRONG}+` }, "invalid_request", "verifier_malformed"],
    [
      "AC-06 N28 a different redirect_uri",
      { redirect_uri: "https://evil.test/cb" },
      "invalid_grant",
      "redirect_uri_differs",
    ],
    [
      "AC-06 a redirect_uri with a slash more",
      { redirect_uri: "https://app.example/cb/" },
      "invalid_grant",
      "redirect_uri_differs",
    ],
    ["RI-02 another resource", { resource: "https://gate.example/other" }, "invalid_target", "resource_unknown"],
  ])("rejects %s, and the code still works for its owner", async (_, change, error, cause) => {
    const s = scene();
    const code = await s.plantCode();
    const refused = await trade(s, code, change);
    expect(refused).toMatchObject({ status: 400, body: { error } });
    expect(lastCause(s)).toBe(cause);
    expect((await trade(s, code)).status).toBe(200);
  });

  test.each([
    ["AC-06 N28 the redirect_uri of the request", { redirect_uri: "https://app.example/cb" }],
    ["AC-06 N28 no redirect_uri", {}],
    ["MC-07 our resource", { resource: "https://gate.example/api" }],
    ["RI-04 our resource in other case, with a slash", { resource: "HTTPS://Gate.example/api/" }],
    ["interop 8: a scope, which means nothing here", { scope: "anything at all" }],
  ])("accepts %s", async (_, change) => {
    const s = scene();
    expect((await trade(s, await s.plantCode(), change)).status).toBe(200);
  });

  test("AC-02: a missing code is an invalid request", async () => {
    expect((await trade(scene(), "")).body).toMatchObject({
      error: "invalid_request",
      error_description: "code is missing.",
    });
  });

  test.each([
    [59, 200],
    [60, 400],
    [61, 400],
  ])("AC-03 N29: %i s after issue the status is %i", async (seconds, status) => {
    const s = scene();
    const code = await s.plantCode();
    s.clock.now += seconds;
    expect((await trade(s, code)).status).toBe(status);
    if (status === 400)
      expect(s.tables.refusals[0]).toMatchObject({ cause: "code_expired", detail: { expiredBySeconds: seconds - 60 } });
  });

  test("AC-01 N26: another client can neither redeem nor invalidate it", async () => {
    const s = scene();
    const code = await s.plantCode();
    expect(await trade(s, code, {}, basic("other-web", WEB_SECRET))).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(lastCause(s)).toBe("code_of_other_client");
    expect((await trade(s, code)).status).toBe(200);
  });

  test("interop 3: a failed client authentication does not invalidate the code", async () => {
    const s = scene();
    const code = await s.plantCode();
    expect((await trade(s, code, {}, basic("shop-web", "wrong"))).status).toBe(401);
    expect((await trade(s, code, { client_id: "shop-web" }, {})).status).toBe(401);
    expect((await trade(s, code)).status).toBe(200);
  });

  test("PK-06: four wrong verifiers do not invalidate the code, the fifth does", async () => {
    for (const [wrong, status] of [
      [4, 200],
      [5, 400],
    ]) {
      const s = scene();
      const code = await s.plantCode();
      for (let attempt = 0; attempt < (wrong ?? 0); attempt++) await trade(s, code, { code_verifier: WRONG });
      expect((await trade(s, code)).status).toBe(status);
    }
  });

  test("PK-04: a code without a challenge cannot be redeemed", async () => {
    const s = scene();
    const code = await s.plantCode();
    const stored = s.tables.codes.get(storageHash(code));
    if (stored) s.tables.codes.set(stored.hash, { ...stored, codeChallenge: "" });
    for (const code_verifier of [VERIFIER, ""])
      expect((await trade(s, code, { code_verifier })).body["error"]).toBe("invalid_grant");
  });

  test("AC-04 N30: a valid replay is rejected and revokes the tokens of the first use", async () => {
    const s = scene();
    const code = await s.plantCode();
    const first = await trade(s, code);
    expect(await trade(s, code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(lastCause(s)).toBe("code_replayed");
    expect(await opensApi(s, first)).toBe(false);
    const refreshed = await post(
      s,
      token,
      { grant_type: "refresh_token", refresh_token: textAt(first, "refresh_token") },
      basic("shop-web", WEB_SECRET),
    );
    expect(refreshed).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  test.each([60, 61, 3600])(
    "AC-04 OAuth 2.1 §7.5.3: so does a replay %i s later, after the code has expired",
    async (seconds) => {
      const s = scene();
      s.changeClient("shop-web", { options: { accessTokenSeconds: 7200 } });
      const code = await s.plantCode();
      const first = await trade(s, code);
      s.clock.now += seconds;
      expect(await trade(s, code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
      expect(lastCause(s)).toBe("code_replayed");
      expect(await opensApi(s, first)).toBe(false);
    },
  );

  test("AC-05: a replay with a wrong verifier revokes nothing, before or after expiry", async () => {
    const s = scene();
    const code = await s.plantCode();
    const first = await trade(s, code);
    s.clock.now += 61;
    expect((await trade(s, code, { code_verifier: WRONG })).status).toBe(400);
    expect(await opensApi(s, first)).toBe(true);
  });

  test.each<[string, Record<string, string>, Record<string, string>, number]>([
    ["wrong verifier", { code_verifier: WRONG }, basic("shop-web", WEB_SECRET), 400],
    ["no verifier", { code_verifier: "" }, basic("shop-web", WEB_SECRET), 400],
    ["wrong secret", {}, basic("shop-web", "wrong"), 401],
    ["another client", {}, basic("other-web", WEB_SECRET), 400],
  ])("AC-05 N31: a replay with %s revokes nothing", async (_, change, headers, status) => {
    const s = scene();
    const code = await s.plantCode();
    const first = await trade(s, code);
    for (let attempt = 0; attempt < 6; attempt++) expect((await trade(s, code, change, headers)).status).toBe(status);
    expect(await opensApi(s, first)).toBe(true);
  });

  test("TK-14 N32: of fifty concurrent redemptions one gets tokens, which the replays revoke", async () => {
    const s = scene();
    const code = await s.plantCode();
    const answers = await Promise.all(Array.from({ length: 50 }, () => trade(s, code)));
    const won = answers.filter((answer) => answer.status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter((answer) => answer.body["error"] === "invalid_grant")).toHaveLength(49);
    for (const answer of won) expect(await opensApi(s, answer)).toBe(false);
  });

  test.each<[string, string, (s: Scene) => void]>([
    [
      "the user was disabled",
      "user_disabled",
      (s) => s.tables.users.set(s.user.id, { ...s.user, disabledAt: s.clock.now }),
    ],
    [
      "the app was disconnected",
      "grant_revoked",
      (s) => void s.store.revokeConnectedApp(s.user.id, "shop-web", s.clock.now),
    ],
  ])("AC-10: fails when %s between code and redemption", async (_, cause, change) => {
    const s = scene();
    const code = await s.plantCode();
    change(s);
    expect(await trade(s, code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(lastCause(s)).toBe(cause);
  });

  test("AC-10: fails when the client was disabled between code and redemption", async () => {
    const s = scene();
    const code = await s.plantCode();
    s.changeClient("shop-web", { enabled: false });
    expect(await trade(s, code)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    expect(lastCause(s)).toBe("client_disabled");
  });

  test("CA-07 MC-01: a public client redeems with client_id and verifier alone", async () => {
    const s = scene();
    const code = await s.plantCode({ client: s.clients.browser });
    expect((await trade(s, code, { client_id: "shop-spa" }, {})).status).toBe(200);
  });
});
