import { describe, expect, test, vi } from "vitest";
import { APP, NAVIGATION, SAME_ORIGIN } from "../testing/browser.ts";
import { product, restartProcess } from "../testing/product.ts";
import { GatehouseError } from "./error.ts";
import { gatehouse } from "./gatehouse.ts";

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
});
