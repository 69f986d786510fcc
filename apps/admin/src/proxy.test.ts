import { unstable_doesMiddlewareMatch as isMatched } from "next/experimental/testing/server.js";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

vi.resetModules(); // the console reads its environment once
const { config, proxy } = await import("./proxy.ts");

const CONSOLE = "https://console.example.com";
const NAVIGATION = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "none" };
const SCRIPT = { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" };

beforeAll(() => {
  const key = "only-for-tests-0123456789-0123456789";
  vi.stubEnv("GATEHOUSE_ISSUER", "https://id.example.com");
  vi.stubEnv("GATEHOUSE_ADMIN_URL", CONSOLE);
  vi.stubEnv("GATEHOUSE_CONSOLE_CLIENT_SECRET", key);
  vi.stubEnv("GATEHOUSE_CONSOLE_COOKIE_KEY", key);
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const visit = (path: string, headers: Record<string, string> = NAVIGATION) =>
  proxy(new NextRequest(CONSOLE + path, { headers }));

test.each(["/users/%ff", "/applications/%E0%A4%A", "/%"])("N39 a malformed path gets 400: %s", async (path) => {
  expect((await visit(path)).status).toBe(400);
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

test.each(["/auth/callback?code=x&state=y", "/auth/sign-in", "/confirm", "/users"])(
  "a browser that loads %s ahead of its user gets 503, and no cookie",
  async (path) => {
    const response = await visit(path, { ...NAVIGATION, "sec-purpose": "prefetch;prerender" });
    expect([response.status, response.headers.get("set-cookie")]).toEqual([503, null]);
  },
);

describe("without a session", () => {
  test("CO-05 a page leads to sign-in, with the path to return to", async () => {
    const response = await visit("/users?role=admin");
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${CONSOLE}/auth/sign-in?return_to=%2Fusers%3Frole%3Dadmin`);
    const forged = await visit("/users", { ...NAVIGATION, cookie: "__Host-gatehouse_00000000_session=forged" });
    expect(forged.status).toBe(303);
  });

  test("CO-87 a call of a procedure gets 401 as tRPC has it, and other scripts as JSON", async () => {
    const call = await visit("/api/trpc/me.get", SCRIPT);
    expect([call.status, await call.json()]).toEqual([
      401,
      { error: expect.objectContaining({ data: { code: "UNAUTHORIZED", httpStatus: 401 } }) },
    ]);
    for (const path of ["/users", "/api/exports/users", "/api/anything"]) {
      const response = await visit(path, SCRIPT);
      expect([response.status, response.headers.get("location")]).toEqual([401, null]);
    }
  });

  test.each(["/confirm", "/sign-in-problem", "/signed-out", "/try/callback", "/healthz", "/auth/callback"])(
    "%s can be opened",
    async (path) => {
      expect((await visit(path)).headers.get("x-middleware-next")).toBe("1");
    },
  );

  test.each(["/signed-in", "/confirm/x", "/sign-in-problem/x", "/signed-out%2Fx", "/healthz/x", "/authors", "/go/x"])(
    "%s cannot",
    async (path) => {
      expect((await visit(path)).status).toBe(303);
    },
  );
});

test("CO-92 SE-13 every response has a policy, and that of a page has the nonce of its request", async () => {
  const page = await visit("/signed-out");
  const nonce = page.headers.get("x-middleware-request-x-nonce") ?? "";
  expect(nonce).toHaveLength(24);
  expect(page.headers.get("content-security-policy")).toContain(`'nonce-${nonce}'`);
  expect(page.headers.get("x-middleware-request-content-security-policy")).toContain(`'nonce-${nonce}'`);
  expect((await visit("/signed-out")).headers.get("x-middleware-request-x-nonce")).not.toBe(nonce);

  for (const path of ["/users", "/auth/sign-in", "/_next/imageX", "/api/trpc/me.get", "/%"]) {
    const { headers } = await visit(path);
    expect([path, headers.get("content-security-policy")]).toEqual([path, expect.stringContaining("frame-ancestors")]);
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
  }
});
