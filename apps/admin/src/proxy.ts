import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { contentSecurityPolicy } from "@/session/content-security-policy.ts";
import { readTokens, tokensCookie } from "@/session/cookies.ts";
import { isNearExpiry, renew, type Tokens, unixNow } from "@/session/tokens.ts";
import { env } from "./env.ts";

/** Reachable without being signed in; each of them touches nothing but the visitor's own sign-in. */
const OPEN = ["/auth/sign-in", "/auth/callback", "/auth/sign-out", "/auth/problem", "/signed-out", "/healthz"];

export const config = { matcher: ["/((?!_next/static|_next/image|icon.svg).*)"] };

/**
 * Runs before every page and data request: nobody passes without a sign-in, and tokens are renewed here,
 * since a page that is being rendered can no longer set a cookie. Pages and data check again for themselves.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const { pathname, search } = request.nextUrl;
  if (!isDecodable(pathname)) return new Response("The path is malformed.", { status: 400, headers: { "cache-control": "no-store" } });
  if (OPEN.includes(pathname)) return passOn(request);

  const held = await readTokens(request.cookies);
  if (!held) return challenge(request, pathname + search);
  if (!isNearExpiry(held, unixNow())) return passOn(request);

  const renewed = await renew(held).catch(() => held); // unreachable server: the page says so
  return renewed ? passOn(request, renewed) : challenge(request, pathname + search);
}

/** What does not decode would end as an error in the framework, behind this. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

async function passOn(request: NextRequest, tokens?: Tokens): Promise<Response> {
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

/** A page is sent to sign in; a script is told so, and reloads the page it is on. */
function challenge(request: NextRequest, path: string): Response {
  const isPage = request.method === "GET" && !path.startsWith("/api/") && request.headers.get("sec-fetch-dest") !== "empty";
  if (!isPage) {
    const error = { message: "You are signed out.", code: -32001, data: { code: "UNAUTHORIZED", httpStatus: 401 } };
    return Response.json({ error }, { status: 401, headers: { "cache-control": "no-store" } });
  }
  const target = new URL("/auth/sign-in", env().adminUrl);
  if (path !== "/") target.searchParams.set("return_to", path);
  return new Response(null, { status: 303, headers: { location: target.href, "cache-control": "no-store" } });
}
