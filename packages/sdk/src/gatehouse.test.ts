import { endSessionById } from "@gatehouse/auth";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import { APP, NAVIGATION, SAME_ORIGIN } from "../testing/browser.ts";
import { product, restartProcess } from "../testing/product.ts";
import { GatehouseError } from "./error.ts";
import { gatehouse } from "./gatehouse.ts";
import type { GatehouseOptions } from "./options.ts";
import type { RequestAuth, TokenAuth } from "./request-auth.ts";

describe("an app on Request and Response", () => {
  test("auth() says who is signed in, and holds no token", async () => {
    const { app, browser } = product();
    const ada = browser();
    expect(await app.auth(ada.request("/"))).toEqual({ user: null });
    await ada.signIn();
    const session = await app.auth(ada.request("/"));
    expect(session).toMatchObject({ user: { name: "Ada" }, environment: "production" });
    expect(JSON.stringify(session)).not.toMatch(/g[a-z]{2}_|eyJ/);
  });

  test("PK-38 protect returns the session, or the response to send", async () => {
    const { app, browser } = product();
    const ada = browser();
    const refused = await app.auth.protect(ada.request("/orders", { headers: NAVIGATION }));
    expect(refused).toMatchObject({ ok: false, response: { status: 303 } });
    await ada.signIn();
    expect(await app.auth.protect(ada.request("/orders"))).toMatchObject({
      ok: true,
      session: { user: { name: "Ada" } },
    });
    const lacking = await app.auth.protect(ada.request("/orders", { headers: SAME_ORIGIN }), { scope: "api:write" });
    expect(lacking).toMatchObject({ ok: false, response: { status: 403 } });
  });

  test("PK-41 respond sends renewed tokens, uncached, and leaves other responses alone", async () => {
    const { app, browser, s } = product();
    const ada = browser();
    await ada.signIn();
    const page = () => new Response("<p>", { headers: { "cache-control": "max-age=60" } });
    const plain = await app.auth.respond(ada.request("/"), page());
    expect([plain.headers.get("cache-control"), plain.headers.getSetCookie()]).toEqual(["max-age=60", []]);
    s.clock.now += 545;
    const request = ada.request("/");
    await app.auth(request);
    const renewed = await app.auth.respond(request, page());
    expect(renewed.headers.get("cache-control")).toBe("private, no-store");
    expect(renewed.headers.getSetCookie()).toHaveLength(1);
    expect(await renewed.text()).toBe("<p>");
  });

  test("getAccessToken returns the token for an API, or says why there is none", async () => {
    const { app, browser, server, s } = product();
    const ada = browser();
    await expect(app.getAccessToken(ada.request("/"))).rejects.toMatchObject({ code: "signed_out", status: 401 });
    await ada.signIn();
    expect(await app.getAccessToken(ada.request("/"))).toMatch(/^gat_/);
    s.clock.now += 700;
    server.isDown = true;
    await expect(app.getAccessToken(ada.request("/"))).rejects.toMatchObject({ code: "unavailable", status: 503 });
  });

  test("PK-33 N84 getAccessToken, live, replaces a token that the server no longer accepts, or says that the session has ended", async () => {
    const { app, browser, s } = product();
    const ada = browser();
    await ada.signIn();
    const token = await app.getAccessToken(ada.request("/"));
    const revokeTokens = () => {
      for (const [hash, one] of s.tables.accessTokens)
        s.tables.accessTokens.set(hash, { ...one, revokedAt: s.clock.now });
    };
    revokeTokens();
    const request = ada.request("/");
    expect(await app.getAccessToken(request)).toBe(token); // checked less than ten seconds ago
    const renewed = await app.getAccessToken(request, { live: true });
    expect(renewed).not.toBe(token);
    expect(await app.getAccessToken(request)).toBe(renewed);
    const response = await app.auth.respond(request, new Response());
    expect(response.headers.getSetCookie()).toHaveLength(1);
    ada.keep(response);

    await endSessionById(s.user.id, s.session.id, s.deps);
    expect(await app.getAccessToken(ada.request("/"))).toBe(renewed);
    const ended = app.getAccessToken(ada.request("/"), { live: true });
    await expect(ended).rejects.toMatchObject({ code: "signed_out" });
  });

  test("PK-46 signInPath begins a sign-in that its link cannot weaken", async () => {
    const { app, browser } = product();
    const path = await app.signInPath({ returnTo: "/pay?now=1", maxAge: 0, acr: "urn:gatehouse:acr:mfa" });
    expect(path).toMatch(/^\/auth\/sign-in\?return_to=%2Fpay%3Fnow%3D1&demand=/);
    const begun = new URL(await browser().beginSignIn(path.slice(path.indexOf("?"))));
    expect(Object.fromEntries(begun.searchParams)).toMatchObject({ max_age: "0", acr_values: "urn:gatehouse:acr:mfa" });
    const plain = await app.signInPath({ returnTo: "/pay", prompt: "login" });
    expect(new URL(await browser().beginSignIn(plain.slice(plain.indexOf("?")))).searchParams.get("prompt")).toBe(
      "login",
    );
  });

  test("PK-46 handlers answer below their path alone", async () => {
    const { app } = product({ path: "/account/auth", appUrl: `${APP}/eu` });
    const get = async (path: string) => (await app.handlers(new Request(APP + path, { headers: SAME_ORIGIN }))).status;
    expect(await get("/eu/account/auth/session")).toBe(200);
    expect(await get("/account/auth/session")).toBe(200); // Next leaves the base path out
    for (const path of [
      "/auth/session",
      "/eu/account/auth",
      "/account/auth/sessions",
      "/account/auth/session/x",
      "/account/auth/toString",
      "/%zz",
    ])
      expect(await get(path)).toBe(404);
  });

  test("PK-12 nothing is read at import, and every call names what is missing until it is there", async () => {
    restartProcess();
    vi.stubEnv("GATEHOUSE_ISSUER", "");
    const app = gatehouse({ clientId: "shop", clientSecret: "x".repeat(32) });
    const request = new Request(APP);
    for (const ask of [() => app.auth(request), () => app.handlers(request), () => app.getAccessToken(request)]) {
      const error: unknown = await ask().catch((thrown: unknown) => thrown);
      if (!(error instanceof GatehouseError)) throw new Error("no GatehouseError");
      expect([error.code, error.message.match(/is not set/g)?.length]).toEqual(["configuration", 2]);
    }
    vi.stubEnv("GATEHOUSE_ISSUER", "https://gate.example");
    vi.stubEnv("GATEHOUSE_APP_URL", APP);
    expect(await app.auth(request)).toEqual({ user: null });
    vi.unstubAllEnvs();
  });

  test("PK-12 an option that is a getter is read at the first request", async () => {
    restartProcess();
    let reads = 0;
    const options = { issuer: "https://gate.example", clientId: "shop", clientSecret: "x".repeat(32) };
    const app = gatehouse({
      ...options,
      get appUrl() {
        reads += 1;
        return APP;
      },
    });
    expect(reads).toBe(0);
    expect(await app.auth(new Request(APP))).toEqual({ user: null });
    expect(reads).toBeGreaterThan(0);
  });
});

describe("PK-38 protect where access tokens count", () => {
  const RESOURCE = "https://gate.example/api";
  const METADATA = 'resource_metadata="https://gate.example/.well-known/oauth-protected-resource/api"';

  /** A product that is an API as well, with Ada signed in, and a token of hers. `send` sends her cookie. */
  async function api(change: GatehouseOptions = {}) {
    const it = product({ resource: RESOURCE, ...change });
    Object.assign(it.s.deps.config, { tokenFormat: "jwt", tokenAlgorithm: "ES256" });
    const ada = it.browser();
    await ada.signIn();
    const token = await it.app.getAccessToken(ada.request("/"));
    const send = (headers: Record<string, string> = {}, method = "GET") =>
      ada.request("/api/stock", { method, headers: { ...SAME_ORIGIN, ...headers } });
    const sendAlone = (headers: Record<string, string> = {}, method = "GET") =>
      new Request(`${APP}/api/stock`, { method, headers });
    return { ...it, protect: it.app.auth.protect, bearer: { authorization: `Bearer ${token}` }, send, sendAlone };
  }

  test("says whether it was a token or a session", async () => {
    const { protect, bearer, send, sendAlone } = await api();
    const ofToken = await protect(sendAlone(bearer), { accept: "bearer", scope: "api:read" });
    if (!ofToken.ok) return expect.unreachable();
    expectTypeOf(ofToken.auth).toEqualTypeOf<TokenAuth>();
    expect(ofToken.auth).toMatchObject({ via: "token", userId: "user-ada", user: null, clientId: "shop-web" });

    const ofEither = await protect(send(), { accept: "any", scope: "api:read" });
    if (!ofEither.ok) return expect.unreachable();
    expectTypeOf(ofEither.auth).toEqualTypeOf<RequestAuth>();
    expect(ofEither.auth).toMatchObject({ via: "session", userId: "user-ada", user: { name: "Ada" } });
    if (ofEither.auth.via === "session") expectTypeOf(ofEither.auth.user).not.toBeNullable();

    expect(await protect(send(bearer), { accept: "any" })).toMatchObject({ ok: true, auth: { via: "token" } });
    expect(await protect(send(bearer))).toMatchObject({ ok: true, session: { user: { name: "Ada" } } });
    expect(await protect(sendAlone(bearer))).toMatchObject({ ok: false }); // no token without `accept`
  });

  test("BR-04 BR-13 a request without a token gets a challenge, and a cookie is none", async () => {
    const { protect, send, sendAlone } = await api();
    const alone = await protect(send(), { accept: "bearer", scope: "api:read" });
    if (alone.ok) return expect.unreachable();
    expect(alone.response.status).toBe(401);
    const challenge = alone.response.headers.get("www-authenticate");
    expect(challenge).toContain(METADATA);
    expect(challenge).toContain('scope="api:read"');
    expect(challenge).not.toContain("error=");

    const neither = await protect(sendAlone(SAME_ORIGIN), { accept: "any" });
    if (neither.ok) return expect.unreachable();
    expect(neither.response.status).toBe(401);
    expect(neither.response.headers.get("www-authenticate")).toMatch(/^Cookie .*, Bearer /);
    const page = new Request(`${APP}/stock`, { headers: NAVIGATION });
    expect(await protect(page, { accept: "any" })).toMatchObject({ ok: false, response: { status: 303 } });
  });

  test.each([
    ["", 401],
    ["Bearer", 401],
    ["Bearer two words", 401],
    ["Bearer gat_unknown", 401],
    ["BEARER nonsense", 401],
    ["nonsense", 401],
    ["Basic c2hvcDp4", 401],
    ["Bearer one, Bearer two", 400],
  ])(
    "BR-05 BR-07 a header that is no valid token is refused, whatever cookie is beside it: %j",
    async (header, status) => {
      const { protect, send } = await api();
      const request = () => send({ authorization: header });
      for (const accept of ["bearer", "any"] as const)
        expect(await protect(request(), { accept })).toMatchObject({ ok: false, response: { status } });
      expect(await protect(request())).toMatchObject({ ok: true });
    },
  );

  test("BR-05 BR-06 a token for another API, environment or scope, of another scheme or expired, is refused", async () => {
    const { protect, bearer, send, s } = await api();
    const statusFor = async (demand: object, headers: Record<string, string> = bearer) => {
      const result = await protect(send(headers), { accept: "any", ...demand });
      return result.ok ? 200 : [result.response.status, result.response.headers.get("www-authenticate")];
    };
    expect(await statusFor({})).toBe(200);
    expect(await statusFor({ scope: "api:write" })).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope"'),
    ]);
    const invalid = [401, expect.stringContaining('error="invalid_token"')];
    expect(await statusFor({ environments: ["staging"] })).toEqual(invalid);
    const dpop = { authorization: bearer.authorization.replace("Bearer", "DPoP") };
    expect(await statusFor({}, dpop)).toEqual([401, expect.stringContaining("DPoP ")]);
    expect(await statusFor({ maxAge: 30 })).toEqual([
      401,
      expect.stringContaining('error="insufficient_user_authentication"'),
    ]);
    s.clock.now += 700;
    expect(await statusFor({})).toEqual(invalid);

    const other = await api({ resource: "https://shop.example/api" });
    const foreign = await other.protect(other.send(other.bearer), { accept: "any" });
    expect(foreign).toMatchObject({ ok: false, response: { status: 401 } });
  });

  test("N92 PK-54 an unsafe request with the cookie needs a page of this app, and one with a token does not", async () => {
    const { protect, bearer, send } = await api();
    for (const site of ["cross-site", "same-site", "none"]) {
      const foreign = { "sec-fetch-site": site, origin: "https://evil.example" };
      const byCookie = await protect(send(foreign, "POST"), { accept: "any" });
      expect(byCookie).toMatchObject({ ok: false, response: { status: 403 } });
      const badToken = await protect(send({ ...foreign, authorization: "Bearer x" }, "POST"), { accept: "any" });
      expect(badToken).toMatchObject({ ok: false, response: { status: 401 } });
      expect(await protect(send({ ...foreign, ...bearer }, "POST"), { accept: "any" })).toMatchObject({ ok: true });
    }
    expect(await protect(send({}, "POST"), { accept: "any" })).toMatchObject({ ok: true, auth: { via: "session" } });
  });

  test("a demand that is mistyped, or for tokens where only sessions can be checked, admits nobody", async () => {
    const { protect, core, send, bearer } = await api();
    const mistyped = { accept: "Bearer" } as never;
    await expect(protect(send(bearer), mistyped)).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringContaining('accept must be "bearer", "session" or "any"'),
    });
    for (const accept of ["bearer", "any"] as const) {
      // @ts-expect-error: sessions alone
      const asked = core.protect(send(bearer), { accept }, { canSetCookies: false });
      await expect(asked).rejects.toMatchObject({
        code: "configuration",
        message: expect.stringContaining(`accept: "${accept}" works on handlers alone`),
      });
    }
  });

  test("an API alone needs no app URL, and its responses no session", async () => {
    const { app } = product({ resource: RESOURCE, appUrl: undefined });
    const request = new Request(`${APP}/api/stock`, { headers: { cookie: "a=b" } });
    expect(await app.auth.protect(request, { accept: "bearer" })).toMatchObject({ response: { status: 401 } });
    expect((await app.auth.respond(request, new Response("stock"))).headers.get("cache-control")).toBeNull();
  });
});
