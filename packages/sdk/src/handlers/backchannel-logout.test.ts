import { signJwt } from "@gatehouse/auth";
import { describe, expect, test } from "vitest";
import { APP } from "../../testing/browser.ts";
import { CLIENT_ID, product } from "../../testing/product.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";

async function signedIn(options = {}) {
  const it = product({ check: 60, ...options });
  const ada = it.browser();
  await ada.signIn();
  const { s } = it;
  const claims = {
    iss: "https://gate.example",
    sub: s.user.id,
    aud: CLIENT_ID,
    iat: s.clock.now,
    exp: s.clock.now + 120,
    jti: "1",
    sid: s.session.id,
    events: { [EVENT]: {} },
  };
  const sign = (change: object = {}, typ = "logout+jwt") =>
    signJwt({ typ, claims: { ...claims, ...change }, algorithm: "ES256" }, s.deps);
  const post = (body: URLSearchParams | string, headers = {}) =>
    it.app.handlers(
      new Request(`${APP}/auth/backchannel-logout`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: String(body),
      }),
    );
  const notify = async (token: string) => post(new URLSearchParams({ logout_token: token }));
  return { ...it, ada, sign, post, notify };
}

describe("back-channel logout", () => {
  test("PK-34 N84 a notice ends the session in this process at once; requests in flight get no cookie", async () => {
    const { ada, notify, sign } = await signedIn();
    const response = await notify(await sign());
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    const answer = await ada.open("/auth/session");
    expect(await answer.json()).toMatchObject({ status: "signed-out" });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("N98 a token counts once", async () => {
    const { notify, sign } = await signedIn();
    const token = await sign();
    expect((await notify(token)).status).toBe(200);
    expect((await notify(token)).status).toBe(400);
  });

  test.each<[string, object, string?]>([
    ["a nonce", { nonce: "n" }],
    ["another client", { aud: "other-web" }],
    ["another issuer", { iss: "https://evil.example" }],
    ["no event", { events: {} }],
    ["another event", { events: { other: {} } }],
    ["no sid", { sid: undefined }],
    ["no jti", { jti: undefined }],
    ["no iat", { iat: undefined }],
    ["an iat of ten minutes ago", { iat: 1_800_000_000 - 600 }],
    ["an iat of tomorrow", { iat: 1_800_000_000 + 86_400 }],
    ["an exp of the past", { exp: 1_800_000_000 - 60 }],
    ["the type of an ID token", {}, "JWT"],
    ["the type of an access token", {}, "at+jwt"],
  ])("N98 a logout token with %s ends nothing", async (_, change, typ) => {
    const { ada, notify, sign } = await signedIn();
    const response = await notify(await sign(change, typ));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "invalid_request" });
    expect((await ada.session()).status).toBe("signed-in");
  });

  test("N98 forged and malformed notices end nothing", async () => {
    const { ada, notify, post, sign } = await signedIn();
    const [header, claims, signature = ""] = (await sign()).split(".");
    const forged = `${header}.${claims}.${signature.slice(0, -4)}${signature.endsWith("AAAA") ? "BBBB" : "AAAA"}`;
    const none = `${btoa('{"alg":"none","typ":"logout+jwt"}').replaceAll("=", "")}.${claims}.`;
    for (const token of [forged, none, "", "x", "a.b.c"]) expect((await notify(token)).status).toBe(400);
    const token = await sign();
    const twice = `logout_token=${token}&logout_token=${token}`;
    for (const body of ["", "x=1", twice, `logout_token=${"x".repeat(20_000)}`])
      expect((await post(body)).status).toBe(400);
    expect((await post(`logout_token=${token}`, { "content-type": "application/json" })).status).toBe(400);
    expect((await ada.session()).status).toBe("signed-in");
  });

  test("N98 of an endless body only the beginning is read", async () => {
    const { app } = await signedIn();
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(4096).fill(97));
      },
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const init = { method: "POST", headers, body, duplex: "half" } as const;
    expect((await app.handlers(new Request(`${APP}/auth/backchannel-logout`, init))).status).toBe(400);
    expect(sent).toBeLessThan(10);
  });

  test("PK-34 without the server's keys it is answered 503, so that the server tries again", async () => {
    const { notify, sign, server, s } = await signedIn();
    const token = await sign();
    server.isDown = true;
    const response = await notify(token);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    server.isDown = false;
    s.clock.now += 3;
    expect((await notify(token)).status).toBe(200);
  });
});
