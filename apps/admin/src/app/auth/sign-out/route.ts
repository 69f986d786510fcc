import { isSameOrigin } from "@gatehouse/guard";
import type { NextRequest } from "next/server";
import { env } from "@/env.ts";
import { clearedCookie, readTokens } from "@/session/cookies.ts";
import { seeOther } from "@/session/redirects.ts";
import { revoke } from "@/session/tokens.ts";

/** POST /auth/sign-out: revokes the refresh token, which ends its grant (RFC 7009), and deletes the cookie. */
export async function POST(request: NextRequest): Promise<Response> {
  if (!isSameOrigin(request, env().adminUrl))
    return new Response("Sign out from a page of the console.", { status: 403 });
  const tokens = await readTokens(request.cookies);
  if (tokens) await revoke(tokens);
  const response = seeOther("/signed-out");
  response.cookies.set(clearedCookie("session"));
  return response;
}
