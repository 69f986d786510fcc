import { unstable_doesMiddlewareMatch as isMatched } from "next/experimental/testing/server.js";
import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { config, proxy } from "./proxy.ts";

test.each(["/users/%ff", "/applications/%E0%A4%A", "/%"])("N39 a malformed path gets 400: %s", async (path) => {
  expect((await proxy(new NextRequest(`http://localhost:3001${path}`))).status).toBe(400);
});

test.each([
  "/",
  "/users",
  "/icon.svgX",
  "/icon.svg/users",
  "/iconXsvg",
  "/users/icon.svg",
  "/_next/imageX",
  "/_next/staticX",
  "/_next/static",
  "/_next/image?url=%2Fhealthz&w=64&q=75",
  "/_next/data/x/users.json",
  "/api/trpc/me.get",
  "/favicon.ico",
])("CO-92 CO-93 %s passes the proxy, which gives its answer the headers of a page", (url) => {
  expect(isMatched({ config, url, nextConfig: {} })).toBe(true);
});

test.each(["/_next/static/chunks/a.js", "/icon.svg", "/icon.svg?v=1"])(
  "%s is a file of the build, which needs none of them",
  (url) => {
    expect(isMatched({ config, url, nextConfig: {} })).toBe(false);
  },
);

test.each(["/auth/callback?code=x&state=y", "/auth/sign-in", "/users"])(
  "a browser that loads %s ahead of its user gets 503, and no cookie",
  async (path) => {
    const response = await proxy(
      new NextRequest(`http://localhost:3001${path}`, { headers: { "sec-purpose": "prefetch;prerender" } }),
    );
    expect([response.status, response.headers.get("set-cookie")]).toEqual([503, null]);
  },
);
