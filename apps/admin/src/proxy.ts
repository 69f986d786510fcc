import { randomBytes } from "node:crypto";
import { isPrefetch, refusePrefetch } from "@gatehouse/runtime";
import { type NextRequest, NextResponse } from "next/server";
import { contentSecurityPolicy } from "@/session/content-security-policy.ts";
import { readTokens, tokensCookie } from "@/session/cookies.ts";
import { isNearExpiry, renew, type Tokens, unixNow } from "@/session/tokens.ts";
import { env } from "./env.ts";

/** Reachable without signing in. These affect only the visitor's own sign-in. */
const PUBLIC_PATHS = [
  "/auth/sign-in",
  "/auth/callback",
  "/auth/sign-out",
  "/auth/problem",
  "/signed-out",
  "/try/callback",
  "/healthz",
];

/**
 * Everything but the files of the build and the icon, by their whole names: any other path can answer with a page.
 * CO-92, CO-93.
 */
export const config = { matcher: ["/((?!_next/static/|icon\\.svg$).*)"] };

/**
 * Runs before every page and data request. Requires a sign-in, and renews tokens here because a page cannot set cookies
 * while it renders. Pages and the data route check again.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const { pathname, search } = request.nextUrl;
  if (!isDecodable(pathname))
    return new Response("The path is malformed.", { status: 400, headers: { "cache-control": "no-store" } });
  if (isPrefetch(request.headers)) return refusePrefetch();
  if (PUBLIC_PATHS.includes(pathname)) return proceed(request);

  const tokens = await readTokens(request.cookies);
  if (!tokens) return requireSignIn(request, pathname + search);
  if (!isNearExpiry(tokens, unixNow())) return proceed(request);

  const renewed = await renew(tokens).catch(() => tokens); // if the server is down, the page says so
  return renewed ? proceed(request, renewed) : requireSignIn(request, pathname + search);
}

/** Next answers 500 to a path that does not decode. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

async function proceed(request: NextRequest, tokens?: Tokens): Promise<Response> {
  const cookie = tokens && (await tokensCookie(tokens));
  if (cookie) request.cookies.set(cookie.name, cookie.value);

  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce, env());
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("x-console-path", request.nextUrl.pathname + request.nextUrl.search);
  headers.set("content-security-policy", policy);

  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  if (env().secure) response.headers.set("strict-transport-security", "max-age=31536000");
  if (cookie) response.cookies.set(cookie);
  return response;
}

/** Redirects a page to sign in. Answers a script with 401; the page then asks the user to sign in again. */
function requireSignIn(request: NextRequest, path: string): Response {
  const isPage =
    request.method === "GET" && !path.startsWith("/api/") && request.headers.get("sec-fetch-dest") !== "empty";
  if (!isPage) {
    const error = {
      message: "You are signed out. Sign in again.",
      code: -32001,
      data: { code: "UNAUTHORIZED", httpStatus: 401 },
    };
    return Response.json({ error }, { status: 401, headers: { "cache-control": "no-store" } });
  }
  const target = new URL("/auth/sign-in", env().adminUrl);
  if (path !== "/") target.searchParams.set("return_to", path);
  return new Response(null, { status: 303, headers: { location: target.href, "cache-control": "no-store" } });
}
