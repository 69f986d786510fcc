import { type NextRequest, NextResponse } from "next/server";
import { server } from "./server/next/server.ts";

/**
 * Next's proxy: runs the guard in front of every route except Next's own files. Handlers and pages check again behind
 * it (D9).
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const refusal = await server.guard(request);
  if (refusal) return withAbsoluteLocation(refusal, request);
  const { pathname } = new URL(request.url);
  const slash = server.trailingSlash(pathname);
  // Not `nextUrl`, which rewrites 127.0.0.1 to localhost; Next would then treat it as another host.
  if (slash.kind !== "none")
    return NextResponse.rewrite(new URL(slash.kind === "alias" ? slash.pathname : "/not/found", request.url));
  return server.isReactPage(pathname) ? renderPage(request) : NextResponse.next();
}

/** Passes the request to a React page. Next reads the nonce for its scripts from this request header. */
async function renderPage(request: NextRequest): Promise<Response> {
  const { env, deps } = await server.startApp();
  const all = server.reactPageHeaders(Buffer.from(deps.random(16)).toString("base64"), env.dev);
  const headers = new Headers(request.headers);
  headers.set("Content-Security-Policy", all["Content-Security-Policy"] ?? "");
  return NextResponse.next({ request: { headers }, headers: { ...server.everywhereHeaders(env.issuer), ...all } });
}

/** Next only accepts an absolute Location here. It shortens it to a path again if the host is its own. */
function withAbsoluteLocation(response: Response, request: NextRequest): Response {
  const location = response.headers.get("Location");
  if (location !== null) response.headers.set("Location", new URL(location, request.url).href);
  return response;
}

export const config = { matcher: ["/((?!_next/static/|_next/image$|favicon\\.ico$).*)"] };
