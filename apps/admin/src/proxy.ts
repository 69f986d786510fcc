import { randomBytes } from "node:crypto";
import { isPrefetch, refusePrefetch } from "@gatehouse/runtime";
import { GatehouseError, type ProxyAuth } from "@gatehouse/sdk/next";
import { type NextRequest, NextResponse } from "next/server";
import { proxy as createProxy } from "@/auth.ts";
import { contentSecurityPolicy, POLICY_OF_THE_REST } from "@/session/content-security-policy.ts";
import { env } from "./env.ts";
import { refusedCall } from "./session/refused-call.ts";

/** Reachable without signing in, beside the routes of the sign-in. These affect only the visitor's own sign-in. */
const PUBLIC_PATHS = ["/confirm", "/sign-in-problem", "/signed-out", "/try/callback", "/healthz"];

const CSP = "content-security-policy";

/**
 * Everything but the files of the build and the icon, by their whole names: any other path can answer with a page.
 * CO-92, CO-93.
 */
export const config = { matcher: ["/((?!_next/static/|icon\\.svg$).*)"] };

/**
 * Requires a sign-in for pages and data, which returns to them with their query (CO-05), and gives them their policy.
 * Pages and the routes of data check again.
 */
const guard = createProxy(async (auth, request, path) => {
  const refused = PUBLIC_PATHS.includes(path) ? undefined : await requireSession(auth, path);
  return refused ?? proceed(request);
});

/** Runs before every page and data request. */
export async function proxy(request: NextRequest): Promise<Response> {
  const response = isPrefetch(request.headers) ? refusePrefetch() : await guard(request);
  if (!response.headers.has(CSP)) response.headers.set(CSP, POLICY_OF_THE_REST);
  if (env().secure) response.headers.set("strict-transport-security", "max-age=31536000");
  return response;
}

/** The scripts of a page read a refusal as tRPC has it. CO-87. */
async function requireSession(auth: ProxyAuth, path: string): Promise<Response | undefined> {
  try {
    await auth.protect();
    return undefined;
  } catch (error) {
    if (path.startsWith("/api/trpc/") && error instanceof GatehouseError) return refusedCall(error);
    throw error;
  }
}

function proceed(request: NextRequest): Response {
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce, env());
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set(CSP, policy);
  return NextResponse.next({ request: { headers }, headers: { [CSP]: policy } });
}
