import { localPath } from "@gatehouse/guard";
import { type NextRequest, NextResponse } from "next/server";
import { buildAuthorizationUrl, calculatePKCECodeChallenge, randomPKCECodeVerifier, randomState } from "openid-client";
import { env } from "@/env.ts";
import { authorizationServer } from "@/session/authorization-server.ts";
import { readSignIns, signInsCookie } from "@/session/cookies.ts";
import { problemPath, seeOther } from "@/session/redirects.ts";

const WEBHOOK_SCOPES = "webhooks:read webhooks:reveal webhooks:replay webhooks:configure";
const SCOPE = `console:read console:write ${WEBHOOK_SCOPES} api:read offline_access`;

/**
 * GET /auth/sign-in: redirects to the server's authorization endpoint, with PKCE and state. OAuth 2.1 §4.1.1. `max_age`
 * asks for a sign-in that is at most this many seconds old. RFC 9470 §4. `return_to` is kept with its query (CO-05).
 */
export async function GET(request: NextRequest): Promise<Response> {
  const query = request.nextUrl.searchParams;
  const state = randomState();
  const verifier = randomPKCECodeVerifier();
  const returnTo = localPath(query.get("return_to"), { outside: "/auth" }) ?? "/";
  try {
    const url = buildAuthorizationUrl(await authorizationServer({ refresh: true }), {
      redirect_uri: `${env().adminUrl}/auth/callback`,
      scope: SCOPE,
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(query.get("prompt") === "login" ? { prompt: "login" } : {}),
      ...(/^\d{1,6}$/.test(query.get("max_age") ?? "") ? { max_age: query.get("max_age") ?? "" } : {}),
    });
    const signIns = await readSignIns(request.cookies);
    const response = new NextResponse(null, {
      status: 303,
      headers: { location: url.href, "cache-control": "no-store" },
    });
    response.cookies.set(await signInsCookie([...signIns, { state, verifier, returnTo }]));
    return response;
  } catch (error) {
    console.error("Starting the sign-in failed", error);
    return seeOther(problemPath("unreachable"));
  }
}
