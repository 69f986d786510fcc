import { describe, expect, test } from "vitest";
import type { Client } from "./clients/client.ts";
import { storageHash } from "./crypto/secret.ts";
import { token } from "./endpoints/token.ts";
import { LIFETIME, LIFETIME_BOUNDS, lifetimesOf } from "./lifetimes.ts";
import { basic, post, type Scene, scene, textAt, VERIFIER, WEB_SECRET } from "./testing/index.ts";

const AUTH = basic("shop-web", WEB_SECRET);
const DAY = 86_400;

/** A scene in which the client, with these options, holds the tokens of a fresh code. */
async function signedIn(options: Client["options"]) {
  const s = scene();
  s.changeClient("shop-web", { options });
  const first = await post(
    s,
    token,
    { grant_type: "authorization_code", code: await s.plantCode(), code_verifier: VERIFIER },
    AUTH,
  );
  return { s, first, held: textAt(first, "refresh_token") };
}

const refresh = (s: Scene, refresh_token: string) =>
  post(s, token, { grant_type: "refresh_token", refresh_token }, AUTH);

describe("a client's own lifetimes", () => {
  test("unset lifetimes are the defaults, which are within the bounds", () => {
    const defaults = lifetimesOf({ type: "web", options: {} });
    expect(defaults).toEqual({
      accessTokenSeconds: 600,
      refreshIdleSeconds: 14 * DAY,
      refreshAbsoluteSeconds: 30 * DAY,
    });
    for (const [name, seconds] of Object.entries(defaults)) {
      const bounds = Object.entries(LIFETIME_BOUNDS).find(([bounded]) => bounded === name)?.[1];
      expect(seconds).toBeGreaterThanOrEqual(bounds?.min ?? Number.NaN);
      expect(seconds).toBeLessThanOrEqual(bounds?.max ?? Number.NaN);
    }
  });

  test.each([
    ["native", 400 * DAY, 400 * DAY],
    ["browser", 400 * DAY, LIFETIME.refreshAbsoluteBrowserSeconds],
    ["browser", 3600, 3600],
  ] as const)(
    "BB-06 RT-07: the refresh tokens of a %s client that sets %i s live at most %i s",
    (type, refreshAbsoluteSeconds, end) => {
      expect(lifetimesOf({ type, options: { refreshAbsoluteSeconds } }).refreshAbsoluteSeconds).toBe(end);
    },
  );

  test("TK-08: an access token has the lifetime that the client sets, and expires_in says so", async () => {
    const { s, first } = await signedIn({ accessTokenSeconds: 90 });
    expect(first.body).toMatchObject({ expires_in: 90 });
    expect(s.tables.accessTokens.get(storageHash(textAt(first, "access_token")))?.expiresAt).toBe(s.clock.now + 90);
  });

  test.each([
    ["RT-07: idle", { refreshIdleSeconds: 7200 }, 7200],
    ["RT-07: absolute, before idle", { refreshAbsoluteSeconds: 5000, refreshIdleSeconds: 7200 }, 5000],
  ])("%s", async (_, options, end) => {
    for (const [seconds, status] of [
      [end - 1, 200],
      [end, 400],
    ] as const) {
      const { s, held } = await signedIn(options);
      s.clock.now += seconds;
      expect((await refresh(s, held)).status).toBe(status);
    }
  });
});

describe("a confidential client that keeps its refresh token", () => {
  const KEEPS = { rotateRefreshTokens: false, refreshIdleSeconds: 7200, refreshAbsoluteSeconds: 12_000 };

  test("CF-11: gets only access tokens, and its refresh token can be used repeatedly", async () => {
    const { s, held } = await signedIn(KEEPS);
    for (let use = 0; use < 3; use++) {
      const answer = await refresh(s, held);
      expect(answer).toMatchObject({ status: 200, body: { token_type: "Bearer", scope: "api:read api:write" } });
      expect(answer.body).not.toHaveProperty("refresh_token");
    }
    expect(s.tables.refreshFamilies.size).toBe(1);
  });

  test("RT-07: each use extends the idle expiry, never past the absolute one", async () => {
    const { s, held } = await signedIn(KEEPS);
    s.clock.now += 7000;
    expect((await refresh(s, held)).status).toBe(200);
    s.clock.now += 4999;
    expect((await refresh(s, held)).status).toBe(200);
    s.clock.now += 1;
    expect((await refresh(s, held)).body["error"]).toBe("invalid_grant");
  });

  test("RT-08: it is invalid as soon as its grant is revoked", async () => {
    const { s, held } = await signedIn(KEEPS);
    await s.store.revokeConnectedApp(s.user.id, "shop-web", s.clock.now);
    expect((await refresh(s, held)).body["error"]).toBe("invalid_grant");
  });

  test("CF-24: the refresh tokens of public clients rotate whatever the setting", async () => {
    const s = scene();
    s.changeClient("shop-spa", { options: KEEPS });
    const code = await s.plantCode({ client: s.clients.browser });
    const id = { client_id: "shop-spa" };
    const held = textAt(
      await post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER, ...id }),
      "refresh_token",
    );
    const next = await post(s, token, { grant_type: "refresh_token", refresh_token: held, ...id });
    expect(textAt(next, "refresh_token")).not.toBe(held);
  });

  test("RT-03: a token that was rotated before the setting changed still counts as reused", async () => {
    const { s, held } = await signedIn({});
    s.changeClient("shop-web", { refreshRetrySeconds: 0 });
    await refresh(s, held);
    s.changeClient("shop-web", { options: KEEPS });
    expect((await refresh(s, held)).body["error"]).toBe("invalid_grant");
    expect(s.tables.refusals.at(-1)?.cause).toBe("refresh_token_reused");
  });
});
