import { describe, expect, test } from "vitest";
import { APP, NAVIGATION } from "../../testing/browser.ts";
import { product } from "../../testing/product.ts";

const returnedTo = async (query: string) => (await product().browser().signIn(query)).headers.get("location");

describe("signing in", () => {
  test("PK-30 a whole sign-in: PKCE, state, nonce, a session, and back to the page", async () => {
    const { browser, s } = product();
    const ada = browser();
    const location = new URL(await ada.beginSignIn("?return_to=/orders/7?tab=items"));
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_type: "code",
      client_id: "shop-web",
      redirect_uri: `${APP}/auth/callback`,
      code_challenge_method: "S256",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const back = await ada.endSignIn(location.href);
    expect([back.status, back.headers.get("location")]).toEqual([303, `${APP}/orders/7?tab=items`]);
    expect(back.headers.get("cache-control")).toBe("private, no-store"); // PK-41
    expect(await ada.session()).toEqual({
      status: "signed-in",
      user: { id: s.user.id, name: "Ada", email: "ada@example.com" },
      scope: ["openid", "profile", "email", "offline_access", "api:read"],
      environment: "production",
      acr: "urn:gatehouse:acr:password",
      authTime: s.session.authTime,
    });
  });

  test("PK-27 its cookies are Secure, HttpOnly and Lax, and no script can read a token", async () => {
    const back = await product().browser().signIn();
    const cookies = back.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies)
      expect(cookie).toMatch(
        /^__Host-gatehouse_[0-9a-f]{8}_\w+=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
      );
    expect(cookies[0]?.length).toBeLessThan(2200);
    expect(cookies.join()).not.toMatch(/gat_|grt_/);
  });

  test("without the scope openid the server says who it is, and there is no ID token", async () => {
    const { browser, s } = product({ scope: "email api:read" });
    const ada = browser();
    const location = await ada.beginSignIn();
    expect(new URL(location).searchParams.has("nonce")).toBe(false);
    await ada.endSignIn(location);
    expect(await ada.session()).toMatchObject({
      status: "signed-in",
      user: { id: s.user.id, email: "ada@example.com" },
    });
  });

  test.each([
    "//evil.example",
    "/\\evil.example",
    "/%5cevil.example",
    "/%2f%2fevil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/auth/sign-out",
    "/AUTH/sign-out",
    "/auth//sign-out",
    "/x/../auth/callback",
    "/%61uth/sign-out",
    `/${"x".repeat(5000)}`,
    "",
    "/\tevil",
  ])("N85 return_to=%s leads to the start page", async (value) => {
    expect(await returnedTo(`?return_to=${encodeURIComponent(value)}`)).toBe(`${APP}/`);
  });

  test("N85 a return_to within the app keeps its query", async () => {
    expect(await returnedTo(`?return_to=${encodeURIComponent("/a?b=%2Fc&d=//e")}`)).toBe(`${APP}/a?b=%2Fc&d=//e`);
    expect(await returnedTo("?return_to=/authors")).toBe(`${APP}/authors`);
  });

  test("PK-46 a query cannot widen the scope or lower what is demanded", async () => {
    const { browser, core } = product();
    const begun = new URL(
      await browser().beginSignIn("?scope=console:write&max_age=0&acr_values=x&demand=forged&resource=x"),
    );
    expect(begun.searchParams.get("scope")).toBe("openid profile email offline_access api:read");
    for (const name of ["max_age", "acr_values", "resource"]) expect(begun.searchParams.has(name)).toBe(false);

    const path = await core.signInPath({ returnTo: "/pay", maxAge: 600, acr: ["urn:gatehouse:acr:password"] });
    const demanded = new URL(await browser().beginSignIn(path.slice(path.indexOf("?"))));
    expect(Object.fromEntries(demanded.searchParams)).toMatchObject({
      max_age: "600",
      acr_values: "urn:gatehouse:acr:password",
    });
  });

  test("PK-46 a link with a demand expires, and prompt=login can be asked for by anybody", async () => {
    const { browser, core, s } = product();
    const path = await core.signInPath({ returnTo: "/", maxAge: 600 });
    s.clock.now += 1801;
    const begun = new URL(await browser().beginSignIn(path.slice(path.indexOf("?"))));
    expect(begun.searchParams.has("max_age")).toBe(false);
    expect(new URL(await browser().beginSignIn("?prompt=login")).searchParams.get("prompt")).toBe("login");
  });

  test.each([
    ["a fetch", { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" }],
    ["the data of a Next page", { rsc: "1", "sec-fetch-dest": "empty" }],
    ["a prefetch of Next", { "next-router-prefetch": "1" }],
    ["a prefetch of the browser", { ...NAVIGATION, "sec-purpose": "prefetch;prerender" }],
  ])("PK-43 %s gets 204, and neither a cookie nor a redirect", async (_, headers) => {
    const { browser, server } = product();
    const response = await browser().open("/auth/sign-in?return_to=/a", { headers });
    expect([response.status, response.headers.get("set-cookie"), response.headers.get("location")]).toEqual([
      204,
      null,
      null,
    ]);
    expect(server.seen).toEqual({});
  });

  test("N99 of twenty tabs that begin to sign in, the last five finish; the cookie stays small", async () => {
    const { browser } = product();
    const ada = browser();
    const begun: string[] = [];
    for (let tab = 0; tab < 20; tab++) begun.push(await ada.beginSignIn(`?return_to=/tab/${tab}`));
    for (let prefetch = 0; prefetch < 100; prefetch++)
      await ada.open("/auth/sign-in", { headers: { "sec-purpose": "prefetch", ...NAVIGATION } });
    expect((ada.request("/").headers.get("cookie") ?? "").length).toBeLessThan(8192);
    const statuses: number[] = [];
    for (const location of begun) statuses.push((await ada.endSignIn(location)).status);
    expect(statuses).toEqual([...Array(15).fill(400), ...Array(5).fill(303)]);
    expect((await ada.session()).status).toBe("signed-in");
  });

  test("N99 SE-08 tabs with the longest addresses do not fill the header: they end older sign-ins, and never the newest", async () => {
    const ada = product().browser();
    const longest = `/${"x".repeat(2047)}`;
    for (const returnTo of [longest, "/", longest, longest, "/users", "/audit"]) {
      const location = await ada.beginSignIn(`?return_to=${returnTo}`);
      expect((ada.request("/").headers.get("cookie") ?? "").length).toBeLessThan(4096);
      if (returnTo !== "/audit") continue;
      expect((await ada.endSignIn(location)).headers.get("location")).toBe(`${APP}/audit`);
    }
    const location = await ada.beginSignIn(`?return_to=${longest}`);
    expect((await ada.endSignIn(location)).headers.get("location")).toBe(APP + longest);
  });

  test("PK-30 a sign-in that took more than half an hour does not finish", async () => {
    const { browser, s } = product();
    const ada = browser();
    const location = await ada.beginSignIn("?return_to=/a");
    s.clock.now += 1800;
    s.changeClient("shop-web", {});
    expect((await ada.open(`/auth/callback?code=x&state=${new URL(location).searchParams.get("state")}`)).status).toBe(
      400,
    );
  });

  test("PK-30 three sign-ins within a minute that end signed out: a page instead of a loop", async () => {
    const { browser, s } = product();
    const ada = browser();
    for (let round = 0; round < 3; round++) {
      await ada.signIn("?return_to=/a");
      for (const name of ada.cookies.keys()) if (name.endsWith("_session")) ada.cookies.delete(name);
    }
    const page = await ada.open("/auth/sign-in?return_to=/a");
    expect(page.status).toBe(400);
    expect(await page.text()).toContain("We couldn’t keep you signed in");
    s.clock.now += 61;
    expect((await ada.open("/auth/sign-in?return_to=/a")).status).toBe(303);
  });

  test("PK-30 who is signed in can sign in again and again", async () => {
    const ada = product().browser();
    for (let round = 0; round < 5; round++) expect((await ada.signIn("?return_to=/a")).status).toBe(303);
  });

  test("PK-32 N97 nobody is sent to a server that is down", async () => {
    const { browser, server, errors } = product();
    const ada = browser();
    await ada.signIn();
    server.isDown = true;
    const page = await ada.open("/auth/sign-in?return_to=/a");
    expect([page.status, page.headers.get("retry-after"), page.headers.get("location")]).toEqual([503, "5", null]);
    expect(await page.text()).toContain('href="/auth/sign-in?return_to=%2Fa"');
    expect(errors.map(({ code }) => code)).toContain("unavailable");
    server.isDown = false;
    expect((await ada.signIn()).status).toBe(303);
  });

  test("PK-47 addresses come from the settings, whatever the headers say", async () => {
    const { app } = product({ appUrls: [APP, "https://shop.example.org/eu"] });
    const redirectUri = async (headers: Record<string, string>) => {
      const response = await app.handlers(
        new Request(`${APP}/auth/sign-in`, { headers: { ...NAVIGATION, ...headers } }),
      );
      return new URL(response.headers.get("location") ?? "").searchParams.get("redirect_uri");
    };
    expect(await redirectUri({ host: "evil.example", "x-forwarded-host": "evil.example" })).toBe(
      `${APP}/auth/callback`,
    );
    expect(await redirectUri({ host: "shop.example.org" })).toBe("https://shop.example.org/eu/auth/callback");
  });

  test("PK-46 an app can show its own page for a problem", async () => {
    const problems: unknown[] = [];
    const { browser, server } = product({
      problemPage: (problem) => {
        problems.push(problem);
        return new Response(null, { status: 303, headers: { location: `/auth/problem?reason=${problem.reason}` } });
      },
    });
    server.isDown = true;
    const response = await browser().open("/auth/sign-in?return_to=/a");
    expect(response.headers.get("location")).toBe("/auth/problem?reason=unreachable");
    expect(problems).toEqual([
      { reason: "unreachable", status: 503, errorId: undefined, tryAgain: "/auth/sign-in?return_to=%2Fa" },
    ]);
  });
});
