import type { NextRequest } from "next/server";
import { env } from "@/env.ts";
import { clearedCookie, readTokens, tokensCookie } from "@/session/cookies.ts";
import { forward, isProcedures, refusal } from "@/session/forward.ts";
import { isSameOrigin } from "@/session/same-origin.ts";
import { renew } from "@/session/tokens.ts";

const MAX_BODY_BYTES = 256 * 1024;

/** The browser's only door to data: adds the bearer token and hands the request on to the server's /trpc. */
async function handle(request: NextRequest, { params }: { params: Promise<{ trpc: string }> }): Promise<Response> {
  const { trpc: procedures } = await params;
  if (!isSameOrigin(request, env().adminUrl)) return refusal(403, "FORBIDDEN", "Only the console's own pages may ask.");
  if (!isProcedures(procedures)) return refusal(404, "NOT_FOUND", "There is no such procedure.");
  const tokens = await readTokens(request.cookies);
  if (!tokens) return refusal(401, "UNAUTHORIZED", "You are signed out.");
  const body = request.method === "POST" ? await request.arrayBuffer() : null;
  if (body && body.byteLength > MAX_BODY_BYTES) return refusal(413, "PAYLOAD_TOO_LARGE", "That is more than the console sends.");

  const send = (accessToken: string) =>
    forward(`${env().issuer}/trpc/${procedures}${request.nextUrl.search}`, { method: request.method, body, accessToken });
  try {
    const answer = await send(tokens.accessToken);
    if (answer.status !== 401) return answer;

    const renewed = await renew(tokens);
    const second = renewed ? await send(renewed.accessToken) : answer;
    second.cookies.set(renewed ? await tokensCookie(renewed) : clearedCookie("session"));
    return second;
  } catch (error) {
    console.error("The Gatehouse server did not answer", error);
    return refusal(502, "BAD_GATEWAY", "The Gatehouse server cannot be reached.");
  }
}

export { handle as GET, handle as POST };
