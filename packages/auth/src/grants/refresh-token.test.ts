import { describe, expect, test } from "vitest";
import type { Client } from "../clients/client.ts";
import { token } from "../endpoints/token.ts";
import { LIFETIME } from "../lifetimes.ts";
import { type Answer, basic, post, type Scene, scene, textAt, VERIFIER, WEB_SECRET } from "../testing/index.ts";

const AUTH = basic("shop-web", WEB_SECRET);

const refresh = (
  s: Scene,
  refresh_token: string,
  change: Record<string, string> = {},
  headers: Record<string, string> = AUTH,
) => post(s, token, { grant_type: "refresh_token", refresh_token, ...change }, headers);
const next = (answer: Answer) => textAt(answer, "refresh_token");
const lastCause = (s: Scene) => s.tables.refusals.at(-1)?.cause;
const grantRevoked = (s: Scene) => [...s.tables.grants.values()].every((grant) => grant.revokedAt !== null);

/** A scene in which the client holds a fresh refresh token. */
async function signedIn(change: Partial<Client> = {}, scope = "api:read api:write") {
  const s = scene();
  s.changeClient("shop-web", change);
  const code = await s.plantCode({ scope });
  const first = await post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER }, AUTH);
  return { s, first, original: next(first) };
}

describe("refresh_token grant, OAuth 2.1 §4.3", () => {
  test("RT-02 MC-06: every use returns a new access token and a new refresh token", async () => {
    const { s, first, original } = await signedIn();
    const second = await refresh(s, original);
    expect(second.body).toMatchObject({ token_type: "Bearer", expires_in: 600, scope: "api:read api:write" });
    expect(next(second)).not.toBe(original);
    expect(second.body["access_token"]).not.toBe(first.body["access_token"]);
    expect((await refresh(s, next(second))).status).toBe(200);
  });

  test.each([
    ["unknown", { refresh_token: "grt_guess" }, "invalid_grant", "refresh_token_unknown"],
    ["missing", { refresh_token: "" }, "invalid_request", "parameter_missing"],
    [
      "RT-04 N34 with more scope than granted",
      { scope: "api:read console:read" },
      "invalid_scope",
      "scope_exceeds_grant",
    ],
    ["with a malformed scope", { scope: 'api:read "' }, "invalid_scope", "scope_exceeds_grant"],
    ["RT-06 for another resource", { resource: "https://other.example" }, "invalid_target", "resource_unknown"],
  ])("rejects one %s and spends nothing", async (_, change, error, cause) => {
    const { s, original } = await signedIn();
    expect(await refresh(s, original, change)).toMatchObject({ status: 400, body: { error } });
    expect(lastCause(s)).toBe(cause);
    expect((await refresh(s, original)).status).toBe(200);
  });

  test("RT-04 N34: rejects a scope that the client is registered for but was not granted", async () => {
    const { s, original } = await signedIn({}, "api:read");
    expect((await refresh(s, original, { scope: "api:read api:write" })).body["error"]).toBe("invalid_scope");
  });

  test("RT-08: a refresh does not return a scope that the client has lost", async () => {
    const { s, original } = await signedIn(
      { firstParty: true, scopes: ["api:read", "api:write", "console:write"] },
      "api:read api:write console:write",
    );
    s.changeClient("shop-web", { firstParty: false, scopes: ["api:read", "console:write"] });
    const narrowed = await refresh(s, original);
    expect(narrowed.body).toMatchObject({ scope: "api:read" });
    expect((await refresh(s, next(narrowed), { scope: "api:read api:write" })).body).toMatchObject({
      scope: "api:read",
    });
  });

  test("CF-13: accepts standard scopes that were dropped at authorization", async () => {
    const { s, original } = await signedIn({}, "api:read");
    expect((await refresh(s, original, { scope: "openid profile api:read" })).body).toMatchObject({
      scope: "api:read",
    });
  });

  test("RT-04 RT-05: a narrower scope narrows the access token only", async () => {
    const { s, original } = await signedIn();
    const narrowed = await refresh(s, original, { scope: "api:write" });
    expect(narrowed.body).toMatchObject({ scope: "api:write" });
    expect((await refresh(s, next(narrowed))).body).toMatchObject({ scope: "api:read api:write" });
  });

  test("RT-01 N34: rejects another client's token, which stays valid for its owner", async () => {
    const { s, original } = await signedIn();
    expect(await refresh(s, original, {}, basic("other-web", WEB_SECRET))).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(lastCause(s)).toBe("refresh_token_of_other_client");
    expect((await refresh(s, original)).status).toBe(200);
  });

  test("RT-01 N34: a confidential client that does not authenticate gets 401 and loses nothing", async () => {
    const { s, original } = await signedIn();
    expect((await refresh(s, original, { client_id: "shop-web" }, {})).status).toBe(401);
    expect((await refresh(s, original)).status).toBe(200);
  });

  test.each([
    ["just before idle expiry", LIFETIME.refreshIdleSeconds - 1, 200],
    ["at idle expiry", LIFETIME.refreshIdleSeconds, 400],
  ])("RT-07: %s", async (_, seconds, status) => {
    const { s, original } = await signedIn();
    s.clock.now += seconds;
    expect((await refresh(s, original)).status).toBe(status);
    expect(grantRevoked(s)).toBe(false);
  });

  test.each([
    ["web", LIFETIME.refreshAbsoluteSeconds],
    ["browser", LIFETIME.refreshAbsoluteBrowserSeconds],
  ] as const)(
    "RT-07 BB-06: rotation never extends the absolute expiry of a %s client's token",
    async (type, lifetime) => {
      const s = scene();
      const client = s.clients[type];
      const headers = type === "web" ? AUTH : {};
      const id = type === "web" ? {} : { client_id: client.clientId };
      const code = await s.plantCode({ client });
      let held = next(
        await post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER, ...id }, headers),
      );
      const step = Math.floor(lifetime / 4);
      for (let turn = 0; turn < 3; turn++) {
        s.clock.now += step;
        held = next(await refresh(s, held, id, headers));
      }
      s.clock.now += step;
      expect((await refresh(s, held, id, headers)).status).toBe(400);
      expect(lastCause(s)).toBe("refresh_token_expired");
    },
  );

  test.each<[string, (s: Scene) => void]>([
    ["user_disabled", (s) => s.tables.users.set(s.user.id, { ...s.user, disabledAt: s.clock.now })],
    ["grant_revoked", (s) => void s.store.revokeConnectedApp(s.user.id, "shop-web", s.clock.now)],
  ])("RT-08: rejected after %s", async (cause, change) => {
    const { s, original } = await signedIn();
    change(s);
    expect((await refresh(s, original)).body["error"]).toBe("invalid_grant");
    expect(lastCause(s)).toBe(cause);
  });
});

describe("reuse of a rotated refresh token, RT-03 and CF-20", () => {
  test("CF-20: within the window, while the successor is unused, the identical response is returned each time", async () => {
    const { s, original } = await signedIn();
    const answer = await refresh(s, original);
    s.clock.now += 29;
    for (let again = 0; again < 3; again++) expect((await refresh(s, original)).text).toBe(answer.text);
    expect((await refresh(s, next(answer))).status).toBe(200);
  });

  test("CF-20: the stored response cannot be read from the store", async () => {
    const { s, original } = await signedIn();
    const answer = await refresh(s, original);
    const stored = JSON.stringify([...s.tables.refreshFamilies.values()]);
    for (const name of ["access_token", "refresh_token"]) expect(stored).not.toContain(textAt(answer, name));
    expect(stored).not.toContain(original);
  });

  test.each<[string, Partial<Client>, (held: { s: Scene; original: string; answer: Answer }) => Promise<Answer>]>([
    [
      "after the window",
      {},
      ({ s, original }) => {
        s.clock.now += 30;
        return refresh(s, original);
      },
    ],
    [
      "after its successor was used",
      {},
      async ({ s, original, answer }) => {
        await refresh(s, next(answer));
        return refresh(s, original);
      },
    ],
    [
      "even where it would have expired unused, while its successor lives",
      { options: { refreshIdleSeconds: 3600 } },
      async ({ s, original, answer }) => {
        s.clock.now += 3000;
        await refresh(s, next(answer));
        s.clock.now += 1000;
        return refresh(s, original);
      },
    ],
    ["for another scope", {}, ({ s, original }) => refresh(s, original, { scope: "api:read" })],
    ["with a strict client", { refreshRetrySeconds: 0 }, ({ s, original }) => refresh(s, original)],
  ])("RT-03 N33: %s it is reuse and revokes the whole grant", async (_, change, reuse) => {
    const { s, original } = await signedIn(change);
    const answer = await refresh(s, original);
    expect(await reuse({ s, original, answer })).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(lastCause(s)).toBe("refresh_token_reused");
    expect(grantRevoked(s)).toBe(true);
    expect(await refresh(s, next(answer))).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(lastCause(s)).toBe("grant_revoked");
  });

  test.each<[string, (s: Scene, original: string) => Promise<Answer>]>([
    ["another client", (s, original) => refresh(s, original, {}, basic("other-web", WEB_SECRET))],
    ["a wrong secret", (s, original) => refresh(s, original, {}, basic("shop-web", "wrong"))],
  ])("RT-01: a rotated token presented by %s revokes nothing", async (_, present) => {
    const { s, original } = await signedIn({ refreshRetrySeconds: 0 });
    const answer = await refresh(s, original);
    expect((await present(s, original)).status).toBeGreaterThanOrEqual(400);
    expect((await refresh(s, next(answer))).status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ["more scope than was granted", { scope: "api:read console:read" }],
    ["a malformed scope", { scope: 'api:read "' }],
    ["another resource", { resource: "https://other.example" }],
  ])("RT-03 a rotated token with %s is reuse like any other, and ends its grant", async (_, change) => {
    const { s, original } = await signedIn();
    const second = await refresh(s, original);
    expect((await refresh(s, original, change)).body["error"]).toBe("invalid_grant");
    expect([lastCause(s), grantRevoked(s)]).toEqual(["refresh_token_reused", true]);
    expect((await refresh(s, next(second))).status).toBe(400);
  });

  test("TK-14 N32 CF-20: fifty concurrent uses get the same successor, and no other token is left", async () => {
    const { s, original } = await signedIn();
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(s, original)));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect([...s.tables.refreshFamilies.values()]).toMatchObject([{ generation: 1 }]);
    expect(s.tables.accessTokens.size).toBe(2);
  });

  test("TK-14 N32: without a retry window at most one of fifty succeeds, and its tokens are revoked", async () => {
    const { s, original } = await signedIn({ refreshRetrySeconds: 0 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(s, original)));
    const won = answers.filter((answer) => answer.status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    expect(answers.filter((answer) => answer.body["error"] === "invalid_grant")).toHaveLength(50 - won.length);
    expect(grantRevoked(s)).toBe(true);
  });
});

describe("responses with a signature, CF-20", () => {
  test.each<[string, Partial<Scene["deps"]["config"]>, string]>([
    ["an ID token", {}, "openid offline_access api:read"],
    ["a JWT as access token", { tokenFormat: "jwt", tokenAlgorithm: "ES256" }, "api:read"],
    ["both", { tokenFormat: "jwt", tokenAlgorithm: "ES256" }, "openid profile offline_access api:read"],
  ])(
    "with %s, the identical response is repeated, and its tokens are the ones that were written",
    async (_, config, scope) => {
      const { s, original } = await signedIn({ options: { idTokenAlgorithm: "ES256" } }, scope);
      s.deps.config = { ...s.deps.config, ...config };
      const first = await refresh(s, original);
      expect(first.status).toBe(200);
      s.tables.users.set(s.user.id, { ...s.user, name: "Ada, renamed meanwhile" });
      s.clock.now += 20;
      expect((await refresh(s, original)).text).toBe(first.text);
      expect(s.tables.accessTokens.size).toBe(2);

      const stored = JSON.stringify([...s.tables.refreshFamilies.values()]);
      for (const name of ["access_token", "refresh_token"]) expect(stored).not.toContain(textAt(first, name));
      const second = await refresh(s, next(first));
      expect(second.status).toBe(200);
      expect((await refresh(s, next(first))).text).toBe(second.text);
      expect((await refresh(s, original)).body["error"]).toBe("invalid_grant");
      expect(lastCause(s)).toBe("refresh_token_reused");
    },
  );

  test("a response is not stored where it is never repeated, nor where it can be derived", async () => {
    for (const [change, scope] of [
      [{ refreshRetrySeconds: 0 }, "openid offline_access api:read"],
      [{}, "api:read"],
    ] as const) {
      const { s, original } = await signedIn(change, scope);
      expect((await refresh(s, original)).status).toBe(200);
      expect([...s.tables.refreshFamilies.values()]).toMatchObject([{ generation: 1, sealedResponse: null }]);
    }
  });

  test.each(["openid offline_access api:read", "api:read"])(
    "RT-03 what a strict client has rotated is not repeated, with scope %s, even if the client has a retry window by then",
    async (scope) => {
      const { s, original } = await signedIn({ refreshRetrySeconds: 0 }, scope);
      await refresh(s, original);
      s.changeClient("shop-web", { refreshRetrySeconds: 30 });
      expect((await refresh(s, original)).body["error"]).toBe("invalid_grant");
      expect([lastCause(s), grantRevoked(s)]).toEqual(["refresh_token_reused", true]);
    },
  );
});

describe("a client that keeps its refresh token, CF-11", () => {
  test("CF-20 RT-03 under other settings, a spent token is still repeated once and then reuse", async () => {
    const { s, original } = await signedIn();
    const answer = await refresh(s, original);
    s.changeClient("shop-web", { options: { rotateRefreshTokens: false } });
    expect((await refresh(s, original)).text).toBe(answer.text);
    const kept = await refresh(s, next(answer));
    expect(kept.body).not.toHaveProperty("refresh_token");
    expect((await refresh(s, next(answer))).status).toBe(200);
    s.clock.now += 31;
    await refresh(s, original);
    expect([lastCause(s), grantRevoked(s)]).toEqual(["refresh_token_reused", true]);
  });
});
