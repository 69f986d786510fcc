import { isSameOrigin } from "@gatehouse/guard";
import { BodyError, readBytes } from "@gatehouse/runtime";
import type { NextGatehouse } from "@gatehouse/sdk/next";
import { env } from "@/env.ts";
import { errorResponse, forward, isProcedurePath, requiresNewSignIn, tooManyRequests } from "./forward.ts";
import { secondsToWait } from "./rate-limit.ts";
import { refusedCall } from "./refused-call.ts";

/**
 * Next buffers at most `proxyClientMaxBodySize` of next.config.ts and drops the rest silently: this limit has to be
 * below that. CO-94.
 */
const MAX_BODY_BYTES = 256 * 1024;

type Call = { method: string; body: Uint8Array<ArrayBuffer> | null; userId: string | null; browser: Headers };

/**
 * Answers a request of a page for data: checks it, adds the access token of the session, and forwards it to the server's
 * /trpc. CO-94.
 */
export async function answerCall(
  request: Request,
  procedures: string,
  getAccessToken: NextGatehouse["getAccessToken"],
): Promise<Response> {
  if (!isSameOrigin(request, env().adminUrl))
    return errorResponse(403, "FORBIDDEN", "Only pages of the console can send this request.");
  if (request.method === "POST" && !isJson(request))
    return errorResponse(415, "UNSUPPORTED_MEDIA_TYPE", "Send the input as JSON.");
  if (!isProcedurePath(procedures)) return errorResponse(404, "NOT_FOUND", "This procedure does not exist.");
  let accessToken: string;
  try {
    accessToken = await getAccessToken();
  } catch (error) {
    return refusedCall(error);
  }
  const wait = secondsToWait(accessToken, procedures.split(",").length);
  if (wait !== undefined) return tooManyRequests(wait);
  let body: Call["body"] = null;
  try {
    if (request.method === "POST") body = new Uint8Array(await readBytes(request, MAX_BODY_BYTES));
  } catch (error) {
    if (error instanceof BodyError) return bodyProblem(error);
    throw error;
  }

  const url = `${env().issuer}/trpc/${procedures}${new URL(request.url).search}`;
  const userId = request.headers.get("gatehouse-user");
  const call: Call = { method: request.method, body, userId, browser: request.headers };
  try {
    const response = await forward(url, { ...call, accessToken });
    if (response.status !== 401 || requiresNewSignIn(response)) return response;
    return await forwardAgain(url, call, getAccessToken);
  } catch (error) {
    console.error("The Gatehouse server did not answer", error);
    return errorResponse(502, "BAD_GATEWAY", "Can’t reach the Gatehouse server.");
  }
}

/** The server rejected the token: it expired on the way, or was revoked. */
async function forwardAgain(
  url: string,
  call: Call,
  getAccessToken: NextGatehouse["getAccessToken"],
): Promise<Response> {
  let accessToken: string;
  try {
    accessToken = await getAccessToken({ live: true });
  } catch (error) {
    return refusedCall(error);
  }
  return forward(url, { ...call, accessToken });
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
