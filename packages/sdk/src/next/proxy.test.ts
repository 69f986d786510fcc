import { NextRequest, NextResponse } from "next/server";
import { describe, expect, test } from "vitest";
import { APP, type Browser, NAVIGATION, SAME_ORIGIN } from "../../testing/browser.ts";
import { product } from "../../testing/product.ts";
import { GatehouseError, type GatehouseOptions, gatehouse, type ProxyShape } from "./index.ts";

type Headers = Record<string, string>;

const DENY: ProxyShape = { public: ["/", "/about"] };
const ONLY_SOME: ProxyShape = { protect: ["/account(.*)"] };

/** A product with this proxy. `visit` is what the proxy answers a browser. */
async function scene(shape: ProxyShape, { basePath = "", ...options }: GatehouseOptions & { basePath?: string } = {}) {
  const scene = product(options);
  const proxy = gatehouse(scene.options).proxy(shape);
  const signedOut = scene.browser();
  const signedIn = scene.browser();
  if (basePath === "") await signedIn.signIn(); // the client is registered without one
  const visit = (browser: Browser, path: string, headers: Headers = NAVIGATION, method = "GET") =>
    proxy(new NextRequest(browser.request(path, { headers, method }), { nextConfig: { basePath } }));
  return { ...scene, signedOut, signedIn, visit };
}

/** Does Next go on with the request? */
const passes = (response: Response) => response.headers.get("x-middleware-next") === "1";

describe("PK-39 the three shapes of the proxy", () => {
  test.each([
    [
      "all but the public routes",
      DENY,
      ["/", "/about", "/api/webhooks/stripe", "/auth/sign-in"],
      ["/account", "/about/us"],
    ],
    [
      "only some routes",
      ONLY_SOME,
      ["/", "/about/us", "/accounts", "/auth/callback"],
      ["/account", "/Account/", "/account/a/b", "/account%2Fa"],
    ],
  ])("need a session for %s", async (_, shape, open, guarded) => {
    const { visit, signedOut, signedIn } = await scene(shape);
    for (const path of open) expect(passes(await visit(signedOut, path)), path).toBe(true);
    for (const path of guarded) {
      expect((await visit(signedOut, path)).status, path).toBe(303);
      expect(passes(await visit(signedIn, path)), path).toBe(true);
    }
  });

  test("ask a callback with the path, which can read the session, require one or answer", async () => {
    const seen: unknown[] = [];
    const { visit, signedOut, signedIn } = await scene(async (auth, request, path) => {
      seen.push([request.nextUrl.search, path, (await auth()).user?.name]);
      if (path === "/gone") return new Response("gone", { status: 410 });
      if (path.startsWith("/account")) await auth.protect({ scope: path.endsWith("/admin") ? "admin" : [] });
      return undefined;
    });
    expect(passes(await visit(signedOut, "/Open?a=1"))).toBe(true);
    expect((await visit(signedOut, "/gone")).status).toBe(410);
    expect((await visit(signedOut, "/account")).status).toBe(303);
    expect((await visit(signedIn, "/account/admin")).status).toBe(403);
    expect(seen[0]).toEqual(["?a=1", "/open", undefined]);
    expect(seen.at(-1)).toEqual(["", "/account/admin", "Ada"]);
  });

  test("may answer a refusal themselves, and every other one is answered by the failure table", async () => {
    const { visit, signedOut, signedIn, s, server } = await scene(async (auth, _request, path) => {
      try {
        await auth.protect();
        return undefined;
      } catch (error) {
        if (!(error instanceof GatehouseError) || !path.startsWith("/rpc")) throw error;
        return Response.json({ code: error.code, wait: error.retryAfterSeconds }, { status: error.status });
      }
    });
    expect(await (await visit(signedOut, "/rpc/a", SAME_ORIGIN)).json()).toEqual({ code: "signed_out" });
    expect((await visit(signedOut, "/account")).status).toBe(303);
    expect(passes(await visit(signedIn, "/rpc/a", SAME_ORIGIN))).toBe(true);
    s.clock.now += 700;
    server.isDown = true;
    expect(await (await visit(signedIn, "/rpc/a", SAME_ORIGIN)).json()).toEqual({ code: "unavailable", wait: 5 });
    expect((await visit(signedIn, "/account")).status).toBe(503);
  });

  test("PK-38 check sessions alone: a callback that asks for tokens lets nobody through", async () => {
    const { visit, signedIn } = await scene(async (auth) => {
      // @ts-expect-error: sessions alone
      await auth.protect({ accept: "any" });
      return undefined;
    });
    await expect(visit(signedIn, "/account")).rejects.toThrow('accept: "any" works on handlers alone');
  });

  test.each([[{}], [{ public: [], protect: [] }], [undefined]])("are no other: %j", async (shape) => {
    await expect(scene(shape as unknown as ProxyShape)).rejects.toThrow("exactly one of");
  });
});

test.each(["/account%5c", "/a%00", "/%zz", "/account%252f"])("PK-40 a malformed path gets 400: %s", async (path) => {
  const { visit, signedIn } = await scene(DENY);
  expect((await visit(signedIn, path)).status).toBe(400);
});

describe("PK-43 PK-41 what a refused caller gets", () => {
  test.each([
    ["a navigation", NAVIGATION],
    ["a browser without Sec-Fetch-Mode", { accept: "text/html,*/*" }],
    ["the router of Next", { ...SAME_ORIGIN, "next-url": "/" }],
    ["a prefetch of the browser", { ...NAVIGATION, "sec-purpose": "prefetch" }],
  ])("%s is sent to sign in and back", async (_, headers) => {
    const { visit, signedOut } = await scene(DENY);
    const response = await visit(signedOut, "/account?tab=1", headers);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${APP}/auth/sign-in?return_to=%2Faccount%3Ftab%3D1`);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
  });

  test.each([
    ["a fetch of a page", "/account", SAME_ORIGIN, "GET"],
    ["a request to /api", "/api/a", NAVIGATION, "GET"],
    ["a request to /trpc", "/trpc/a.b", NAVIGATION, "GET"],
    ["a form", "/account", { ...NAVIGATION, "sec-fetch-site": "same-origin" }, "POST"],
  ])("%s gets JSON with 401", async (_, path, headers, method) => {
    const { visit, signedOut } = await scene(DENY);
    const response = await visit(signedOut, path, headers, method);
    expect(response.status).toBe(401);
    expect(response.headers.get("location")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    await expect(response.json()).resolves.toMatchObject({ error: "unauthenticated" });
  });

  test("PK-44 an Action is redirected in the only way that Next follows, back to its page", async () => {
    const { visit, signedOut } = await scene(DENY);
    const response = await visit(signedOut, "/account?tab=1", { ...SAME_ORIGIN, "next-action": "40ab" }, "POST");
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBeNull();
    expect(response.headers.get("x-action-redirect")).toBe("/auth/sign-in?return_to=%2Faccount%3Ftab%3D1;push");
  });

  test("N92 PK-54 an unsafe request with a session, which no page of this app sent, is refused", async () => {
    const { visit, signedIn } = await scene(DENY);
    for (const headers of [
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
      {},
    ])
      expect((await visit(signedIn, "/account", headers as Headers, "POST")).status).toBe(403);
    expect(passes(await visit(signedIn, "/account", { origin: APP }, "POST"))).toBe(true);
  });
});

describe("what the proxy adds to a request that passes", () => {
  test("PK-41 nothing that a cache would notice, while the tokens are fresh", async () => {
    const { visit, signedIn } = await scene(DENY);
    const response = await visit(signedIn, "/about");
    expect(response.headers.get("cache-control")).toBeNull();
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("PK-31 PK-41 N93 the cookie of a renewed session, on public pages too, which no cache may keep", async () => {
    const { visit, signedIn, s } = await scene(DENY);
    s.clock.now += 590;
    for (const path of ["/about", "/account"]) {
      const response = await visit(signedIn, path);
      expect(passes(response)).toBe(true);
      expect(response.headers.getSetCookie()).toHaveLength(1);
      expect(response.headers.get("cache-control")).toBe("private, no-store");
    }
  });

  test("PK-46 nothing to the handlers, which set cookies of their own", async () => {
    const { visit, signedIn, s, server } = await scene(DENY);
    s.clock.now += 590;
    const before = server.seen["/token"];
    const response = await visit(signedIn, "/auth/sign-out", { ...SAME_ORIGIN }, "POST");
    expect(passes(response)).toBe(true);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(server.seen["/token"]).toBe(before);
  });

  test("PK-39 another proxy's rewrite, headers and changes of the request survive", async () => {
    const { visit, signedIn, s } = await scene((_auth, request, path) => {
      const headers = new globalThis.Headers(request.headers);
      headers.set("x-locale", "de");
      if (path === "/plain") return NextResponse.next({ headers: { "x-from": "other" } });
      return NextResponse.rewrite(new URL("/de/about", request.url), {
        request: { headers },
        headers: { "x-from": "other" },
      });
    });
    s.clock.now += 590;
    const rewritten = await visit(signedIn, "/about");
    expect(rewritten.headers.get("x-middleware-rewrite")).toBe(`${APP}/de/about`);
    const overridden = rewritten.headers.get("x-middleware-override-headers")?.split(",") ?? [];
    expect(overridden).toEqual(expect.arrayContaining(["x-locale", "cookie", "x-gatehouse-page"]));
    expect(rewritten.headers.get("x-middleware-request-x-locale")).toBe("de");

    for (const response of [rewritten, await visit(signedIn, "/plain")]) {
      expect(response.headers.get("x-from")).toBe("other");
      expect(response.headers.getSetCookie()).toHaveLength(1);
      expect(response.headers.get("x-middleware-request-x-gatehouse-page")).toMatch(/^\S+ \/(about|plain)$/);
    }
  });
});

test("PK-39 PK-46 with a base path, patterns stand without it and URLs with it", async () => {
  const { visit, signedOut } = await scene(DENY, { basePath: "/shop", appUrl: `${APP}/shop` });
  expect(passes(await visit(signedOut, "/shop/about"))).toBe(true);
  expect(passes(await visit(signedOut, "/shop/auth/sign-in"))).toBe(true);
  const response = await visit(signedOut, "/shop/account");
  expect(response.headers.get("location")).toBe(`${APP}/shop/auth/sign-in?return_to=%2Fshop%2Faccount`);
  const action = await visit(signedOut, "/shop/account", { ...SAME_ORIGIN, "next-action": "40ab" }, "POST");
  expect(action.headers.get("x-action-redirect")).toBe("/auth/sign-in?return_to=%2Fshop%2Faccount;push");
});

test("N89 PK-47 no header of the request changes a URL, or opens a route", async () => {
  const { visit, signedOut } = await scene(DENY);
  const headers = {
    ...NAVIGATION,
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy",
    "x-gatehouse-page": "guess /evil",
    "x-gatehouse-user": "ada",
  };
  const response = await visit(signedOut, "/account", headers);
  expect(response.headers.get("location")).toBe(`${APP}/auth/sign-in?return_to=%2Faccount`);
});
