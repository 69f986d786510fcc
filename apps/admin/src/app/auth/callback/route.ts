import type { NextRequest } from "next/server";
import { AuthorizationResponseError, authorizationCodeGrant, ResponseBodyError } from "openid-client";
import { env } from "@/env.ts";
import { authorizationServer } from "@/session/authorization-server.ts";
import { readSignIns, signInsCookie, tokensCookie } from "@/session/cookies.ts";
import { type Problem, problemPath, seeOther } from "@/session/redirects.ts";
import { tokensFrom, unixNow } from "@/session/tokens.ts";

/** GET /auth/callback: exchanges the code for tokens and stores them in the encrypted cookie. OAuth 2.1 §4.1.3. */
export async function GET(request: NextRequest): Promise<Response> {
  const state = request.nextUrl.searchParams.get("state");
  const signIns = await readSignIns(request.cookies);
  const signIn = signIns.find((candidate) => candidate.state === state);
  if (!signIn) return seeOther(problemPath("expired"));

  const otherSignIns = await signInsCookie(signIns.filter((candidate) => candidate !== signIn));
  try {
    const url = new URL(`${env().adminUrl}/auth/callback${request.nextUrl.search}`);
    const checks = { pkceCodeVerifier: signIn.verifier, expectedState: signIn.state };
    const answer = await authorizationCodeGrant(await authorizationServer(), url, checks);
    const response = seeOther(signIn.returnTo);
    response.cookies.set(await tokensCookie(tokensFrom(answer, unixNow())));
    response.cookies.set(otherSignIns);
    return response;
  } catch (error) {
    const reason = problemOf(error);
    if (reason !== "denied") console.error("Sign-in failed", error);
    const response = seeOther(problemPath(reason));
    response.cookies.set(otherSignIns);
    return response;
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof AuthorizationResponseError) return error.error === "access_denied" ? "denied" : "failed";
  if (error instanceof ResponseBodyError) return error.error === "invalid_grant" ? "expired" : "failed";
  return error instanceof TypeError ? "unreachable" : "failed";
}
