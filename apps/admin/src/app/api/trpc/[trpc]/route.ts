import { isSameOrigin } from "@gatehouse/guard";
import { BodyError, readBytes } from "@gatehouse/runtime";
import type { NextRequest } from "next/server";
import { env } from "@/env.ts";
import { clearedCookie, readTokens, tokensCookie } from "@/session/cookies.ts";
import { errorResponse, forward, isProcedurePath, requiresNewSignIn, tooManyRequests } from "@/session/forward.ts";
import { secondsToWait } from "@/session/rate-limit.ts";
import { renew } from "@/session/tokens.ts";

/**
 * Next buffers at most `proxyClientMaxBodySize` of next.config.ts and drops the rest silently: this limit has to be
 * below that. CO-94.
 */
const MAX_BODY_BYTES = 256 * 1024;

/** The browser's only way to the data: adds the access token and forwards the request to the server's /trpc. */
async function handle(request: NextRequest, { params }: { params: Promise<{ trpc: string }> }): Promise<Response> {
  const { trpc: procedures } = await params;
  if (!isSameOrigin(request, env().adminUrl))
    return errorResponse(403, "FORBIDDEN", "Only pages of the console can send this request.");
  if (request.method === "POST" && !isJson(request))
    return errorResponse(415, "UNSUPPORTED_MEDIA_TYPE", "Send the input as JSON.");
  if (!isProcedurePath(procedures)) return errorResponse(404, "NOT_FOUND", "This procedure does not exist.");
  const tokens = await readTokens(request.cookies);
  if (!tokens) return errorResponse(401, "UNAUTHORIZED", "You are signed out. Sign in again.");
  const wait = secondsToWait(tokens.refreshToken ?? tokens.accessToken, procedures.split(",").length);
  if (wait !== undefined) return tooManyRequests(wait);
  let body: Uint8Array<ArrayBuffer> | null = null;
  try {
    if (request.method === "POST") body = new Uint8Array(await readBytes(request, MAX_BODY_BYTES));
  } catch (error) {
    if (error instanceof BodyError) return bodyProblem(error);
    throw error;
  }

  const userId = request.headers.get("gatehouse-user");
  const send = (accessToken: string) =>
    forward(`${env().issuer}/trpc/${procedures}${request.nextUrl.search}`, {
      method: request.method,
      body,
      accessToken,
      userId,
      browser: request.headers,
    });
  try {
    const response = await send(tokens.accessToken);
    if (response.status !== 401 || requiresNewSignIn(response)) return response;

    const renewed = await renew(tokens);
    const retried = renewed ? await send(renewed.accessToken) : response;
    retried.cookies.set(renewed ? await tokensCookie(renewed) : clearedCookie("session"));
    return retried;
  } catch (error) {
    console.error("The Gatehouse server did not answer", error);
    return errorResponse(502, "BAD_GATEWAY", "Can’t reach the Gatehouse server.");
  }
}

/** A form of any page can send text or a form, but not JSON. CO-94. */
function isJson({ headers }: Request): boolean {
  return headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() === "application/json";
}

function bodyProblem({ problem, maxBytes }: BodyError): Response {
  if (problem === "too_large")
    return errorResponse(413, "PAYLOAD_TOO_LARGE", `The request body is larger than ${maxBytes / 1024} KiB.`);
  if (problem === "late") return errorResponse(408, "TIMEOUT", "The request body took too long to arrive.");
  return errorResponse(400, "BAD_REQUEST", "The request body is incomplete.");
}

export { handle as GET, handle as POST };
