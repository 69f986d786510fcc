import { describe, expect, test } from "vitest";
import { verifyJwt } from "../crypto/signing-keys.ts";
import type { PostForm } from "../outbound/outbound.ts";
import { ISSUER, NOON, type Scene, scene } from "../testing/scene.ts";
import { LOGOUT_TOKEN_TYPE, sendLogoutNotices } from "./backchannel-logout.ts";
import { endSessionById } from "./session.ts";

const URI = "https://app.example/backchannel";

/** A session with one client that asked to be told, another that did not, and what was posted. */
async function signedOut(answer: () => number, change: object = {}) {
  const s = scene();
  s.changeClient("shop-web", { options: { backchannelLogoutUri: URI, ...change } });
  for (const clientId of ["shop-web", "other-web", "shop-web"]) {
    const id = `grant ${s.tables.grants.size}`;
    await s.store.saveGrant({ id, clientId, userId: s.user.id, scope: "openid", sessionId: s.session.id, accessEpoch: 0, createdAt: NOON });
  }
  const posted: { url: string; token: string }[] = [];
  const postForm: PostForm = async (url, form) => {
    posted.push({ url, token: form.get("logout_token") ?? "" });
    const status = answer();
    if (status === 0) throw new Error("no connection");
    return { status };
  };
  await endSessionById(s.user.id, s.session.id, s.deps);
  return { s, posted, send: () => sendLogoutNotices({ ...s.deps, postForm }) };
}

const noticeOf = (s: Scene) => [...s.tables.logoutNotices.values()][0];

describe("back-channel logout", () => {
  test.each([
    [undefined, "RS256"],
    ["ES256", "ES256"],
  ] as const)("notifies each client once, with a token about session and user (%s)", async (idTokenAlgorithm, algorithm) => {
    const { s, posted, send } = await signedOut(() => 200, { ...(idTokenAlgorithm && { idTokenAlgorithm }) });
    expect(await send()).toBe(1);
    expect(await send()).toBe(0);
    expect(posted.map(({ url }) => url)).toEqual([URI]);
    const demand = { typ: LOGOUT_TOKEN_TYPE, algorithms: [algorithm], issuer: ISSUER, audience: "shop-web" };
    const claims = await verifyJwt(posted[0]?.token ?? "", demand, s.deps);
    expect(claims).toEqual({
      iss: ISSUER,
      sub: s.user.id,
      aud: "shop-web",
      iat: NOON,
      exp: NOON + 120,
      jti: expect.any(String),
      sid: s.session.id,
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    });
    expect(await verifyJwt(posted[0]?.token ?? "", { ...demand, typ: "JWT" }, s.deps)).toBeUndefined();
  });

  test("retries after 10 s, 1, 5 and 30 minutes and 2 hours, each time with a new token, then gives up", async () => {
    let status = 500;
    const { s, posted, send } = await signedOut(() => status);
    for (const wait of [10, 60, 300, 1800, 7200]) {
      expect(await send()).toBe(1);
      s.clock.now += wait - 1;
      expect(await send()).toBe(0);
      s.clock.now += 1;
      status = status === 500 ? 0 : 500;
    }
    expect(await send()).toBe(1);
    s.clock.now += 86_400;
    expect(await send()).toBe(0);
    expect(new Set(posted.map(({ token }) => token)).size).toBe(6);
    expect(noticeOf(s)).toMatchObject({
      attempts: 6,
      doneAt: s.clock.now - 86_400,
      lastError: expect.stringMatching(/answered 500|no connection/),
    });
  });

  test("a client that is disabled or has no logout URI any more is not notified", async () => {
    for (const change of [{ enabled: false }, { options: {} }]) {
      const { s, posted, send } = await signedOut(() => 200);
      s.changeClient("shop-web", change);
      await send();
      expect(posted).toEqual([]);
      expect(noticeOf(s)?.doneAt).toBe(NOON);
    }
  });
});
