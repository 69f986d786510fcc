import { describe, expect, test } from "vitest";
import { verifyJwt } from "../crypto/signing-keys.ts";
import type { PostForm } from "../outbound/outbound.ts";
import { ISSUER, NOON, scene } from "../testing/scene.ts";
import { LOGOUT_TOKEN_TYPE, sendLogoutNotice } from "./backchannel-logout.ts";
import { endSessionById } from "./session.ts";

const URI = "https://app.example/backchannel";

/** A session with one client that asked to be told, another that did not, and what was posted. */
async function signedOut(answer: () => number, change: object = {}) {
  const s = scene();
  s.changeClient("shop-web", { options: { backchannelLogoutUri: URI, ...change } });
  for (const clientId of ["shop-web", "other-web", "shop-web"]) {
    const id = `grant ${s.tables.grants.size}`;
    await s.store.saveGrant({
      id,
      clientId,
      userId: s.user.id,
      scope: "openid",
      sessionId: s.session.id,
      accessEpoch: 0,
      createdAt: NOON,
    });
  }
  const posted: { url: string; token: string }[] = [];
  const postForm: PostForm = async (url, form) => {
    posted.push({ url, token: form.get("logout_token") ?? "" });
    const status = answer();
    if (status === 0) throw new Error("no connection");
    return { status };
  };
  await endSessionById(s.user.id, s.session.id, s.deps);
  const notices = [...s.tables.logoutNotices.values()];
  const send = async () => {
    for (const notice of notices) await sendLogoutNotice(notice, { ...s.deps, postForm });
  };
  return { s, posted, notices, send };
}

describe("back-channel logout", () => {
  test.each([
    [undefined, "RS256"],
    ["ES256", "ES256"],
  ] as const)(
    "notifies each client once, with a token about session and user (%s)",
    async (idTokenAlgorithm, algorithm) => {
      const { s, posted, send } = await signedOut(() => 200, { ...(idTokenAlgorithm && { idTokenAlgorithm }) });
      await send();
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
    },
  );

  test("rejects with the problem when the client did not accept the notice; each attempt has a new token", async () => {
    let status = 500;
    const { posted, send } = await signedOut(() => status);
    await expect(send()).rejects.toThrow("answered 500");
    status = 0;
    await expect(send()).rejects.toThrow("no connection");
    status = 204;
    await send();
    expect(new Set(posted.map(({ token }) => token)).size).toBe(3);
  });

  test("a client that is disabled or has no logout URI any more is not notified", async () => {
    for (const change of [{ enabled: false }, { options: {} }]) {
      const { s, posted, notices, send } = await signedOut(() => 200);
      expect(notices).toHaveLength(1);
      s.changeClient("shop-web", change);
      await send();
      expect(posted).toEqual([]);
    }
  });
});
