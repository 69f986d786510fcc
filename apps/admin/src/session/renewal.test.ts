import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Tokens } from "./tokens.ts";

vi.resetModules(); // the console reads its environment once
const { GET } = await import("@/app/api/trpc/[trpc]/route.ts");
const { proxy } = await import("@/proxy.ts");
const { clearedCookie, readTokens, tokensCookie } = await import("./cookies.ts");
const { renew } = await import("./tokens.ts");

const CONSOLE = "http://localhost:3001";
const LIVE = "gat_live";
const seen = { refreshes: [] as string[], data: [] as string[] };

/** An authorization server that accepts refresh tokens starting with "grt_good" and one access token. */
const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const issuer = `http://localhost:${port}`;
  const send = (status: number, body: unknown) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  let body = "";
  for await (const chunk of request) body += String(chunk);
  if (request.url === "/.well-known/oauth-authorization-server")
    return send(200, { issuer, token_endpoint: `${issuer}/token` });
  if (request.url === "/token") {
    const token = new URLSearchParams(body).get("refresh_token") ?? "";
    seen.refreshes.push(token);
    if (!token.startsWith("grt_good")) return send(400, { error: "invalid_grant" });
    return send(200, { access_token: LIVE, token_type: "Bearer", expires_in: 600, refresh_token: `${token}+` });
  }
  seen.data.push(`${request.headers.authorization} ${request.url}`);
  if (request.url?.startsWith("/trpc/fresh.only")) {
    response.setHeader("www-authenticate", 'Bearer error="insufficient_user_authentication", max_age="600"');
    return send(401, { error: { data: { httpStatus: 401, stepUp: { maxAgeSeconds: 600 } } } });
  }
  return request.headers.authorization === `Bearer ${LIVE}`
    ? send(200, { result: { data: "yes" } })
    : send(401, { error: {} });
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  vi.stubEnv("GATEHOUSE_ISSUER", `http://localhost:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("GATEHOUSE_ADMIN_URL", CONSOLE);
  vi.stubEnv("GATEHOUSE_CONSOLE_CLIENT_SECRET", "gcs_only-for-tests-0123456789-0123456789");
  vi.stubEnv("GATEHOUSE_CONSOLE_COOKIE_KEY", "only-for-tests-0123456789-0123456789");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.resetModules();
  await new Promise((resolve) => server.close(resolve));
});

const stale = (refreshToken: string): Tokens => ({ accessToken: "gat_stale", refreshToken, expiresAt: 0 });

async function ask(
  path: string,
  tokens: Tokens | undefined,
  headers: Record<string, string> = {},
): Promise<NextRequest> {
  const cookie = tokens && (await tokensCookie(tokens));
  return new NextRequest(CONSOLE + path, {
    headers: {
      "sec-fetch-site": "same-origin",
      ...(cookie ? { cookie: `${cookie.name}=${cookie.value}` } : {}),
      ...headers,
    },
  });
}

const data = async (tokens: Tokens | undefined, procedure = "me.get", headers = {}) =>
  GET(await ask(`/api/trpc/${procedure}?batch=1`, tokens, headers), { params: Promise.resolve({ trpc: procedure }) });

describe("renewing the console's tokens", () => {
  test("sends one request for concurrent callers, and late callers get the same tokens", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => renew(stale("grt_good-1"))));
    expect(await renew(stale("grt_good-1"))).toEqual(all[0]);
    expect(new Set(all.map((tokens) => tokens?.refreshToken))).toEqual(new Set(["grt_good-1+"]));
    expect(seen.refreshes.filter((token) => token === "grt_good-1")).toHaveLength(1);
  });

  test("ends the session when the refresh token is no longer valid", async () => {
    expect(await renew(stale("grt_dead"))).toBeUndefined();
  });
});

describe("the data route", () => {
  test("on 401 renews once, retries, and sets the new cookie", async () => {
    const response = await data(stale("grt_good-2"));
    expect(response.status).toBe(200);
    expect(seen.data.slice(-2)).toEqual([
      "Bearer gat_stale /trpc/me.get?batch=1",
      `Bearer ${LIVE} /trpc/me.get?batch=1`,
    ]);
    const [name = "", value = ""] = (response.headers.get("set-cookie") ?? "").split(";")[0]?.split(/=(.*)/) ?? [];
    const jar = { get: (asked: string) => (asked === name ? { value } : undefined) };
    expect(await readTokens(jar)).toMatchObject({ accessToken: LIVE, refreshToken: "grt_good-2+" });
    expect(response.headers.get("set-cookie")).toMatch(/HttpOnly.*SameSite=lax/i);
    expect(value).not.toContain(LIVE);
  });

  test("CO-88 passes on that a fresh sign-in is needed, and keeps the session: renewing would not help", async () => {
    const before = seen.refreshes.length;
    const response = await data(stale("grt_good-5"), "fresh.only");
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { data: { stepUp: { maxAgeSeconds: 600 } } } });
    expect([seen.refreshes.length, response.headers.get("set-cookie")]).toEqual([before, null]);
  });

  test("answers 401 and deletes the cookie when the session has ended", async () => {
    const response = await data(stale("grt_dead"));
    expect(response.status).toBe(401);
    expect(response.headers.get("set-cookie")).toMatch(/Max-Age=0/);
  });

  test.each([
    ["another site's page", { "sec-fetch-site": "cross-site" }, "me.get", 403],
    ["another port's page", { "sec-fetch-site": "same-site" }, "me.get", 403],
    ["a path outside /trpc", {}, "../token", 404],
  ])("rejects %s and forwards nothing", async (_, headers, procedure, status) => {
    const before = seen.data.length;
    expect((await data(stale("grt_good-3"), procedure, headers)).status).toBe(status);
    expect(seen.data).toHaveLength(before);
  });

  test("answers 401 without a session", async () => {
    expect((await data(undefined)).status).toBe(401);
  });
});

describe("the proxy", () => {
  test("redirects a page to sign in, with the path to return to", async () => {
    const response = await proxy(await ask("/users?role=admin", undefined));
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${CONSOLE}/auth/sign-in?return_to=%2Fusers%3Frole%3Dadmin`);
  });

  test("answers a script with 401", async () => {
    expect((await proxy(await ask("/users", undefined, { "sec-fetch-dest": "empty" }))).status).toBe(401);
    expect((await proxy(await ask("/api/trpc/me.get", undefined))).status).toBe(401);
  });

  test("renews tokens that expire soon", async () => {
    const response = await proxy(await ask("/users", stale("grt_good-4")));
    expect(response.headers.get("set-cookie")).toMatch(/^gatehouse_[0-9a-f]{8}_console_session=/);
    expect(response.headers.get("content-security-policy")).toMatch(/script-src 'self' 'nonce-/);
  });

  test("ignores a forged cookie", async () => {
    const { name } = clearedCookie("session");
    const response = await proxy(await ask("/users", undefined, { cookie: `${name}=Fe26.2*forged` }));
    expect(response.status).toBe(303);
  });
});
