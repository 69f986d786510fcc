const FORWARDED_HEADERS = [
  "content-type",
  "vary",
  "retry-after",
  "gatehouse-error-id",
  "www-authenticate",
  "x-request-id",
];

const PROCEDURE_PATH = /^[a-z]+\.[a-z]+(?:,[a-z]+\.[a-z]+)*$/i;

/**
 * True for a list of procedure names as `/trpc` accepts it. A dot segment would send the token to another path, so it
 * is rejected.
 */
export function isProcedurePath(path: string): boolean {
  return path.length <= 2000 && PROCEDURE_PATH.test(path);
}

/**
 * Forwards one tRPC request to the server with the user's access token. Streams the response back, uncached. The server
 * refuses it if `userId` is not the user of the token.
 */
export async function forward(
  url: string,
  {
    method,
    body,
    accessToken,
    userId,
    browser,
  }: { method: string; body: BodyInit | null; accessToken: string; userId: string | null; browser: Headers },
): Promise<Response> {
  const upstream = await fetch(url, {
    method,
    body,
    headers: {
      authorization: `Bearer ${accessToken}`,
      accept: "application/json",
      ...(userId === null ? {} : { "gatehouse-user": userId }),
      ...browserHeaders(browser),
      ...(body ? { "content-type": "application/json" } : {}),
    },
    cache: "no-store",
    redirect: "manual",
  });
  const headers = new Headers({ "cache-control": "no-store" });
  for (const name of FORWARDED_HEADERS) {
    const value = upstream.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(upstream.body, { status: upstream.status, headers });
}

/**
 * Who is at the browser, for the audit log: its name, and the address that Next or the proxy in front of the console
 * wrote last into `X-Forwarded-For`. CO-64.
 */
function browserHeaders(headers: Headers): Record<string, string> {
  const address = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
  const browser = headers.get("user-agent");
  return {
    ...(address && { "x-gatehouse-browser-address": address }),
    ...(browser && { "x-gatehouse-browser": browser }),
  };
}

/**
 * True if the token is valid but the user has to sign in again for this request, so that renewing the token does not
 * help. RFC 9470 §3.
 */
export function requiresNewSignIn(response: Response): boolean {
  return response.headers.get("www-authenticate")?.includes('error="insufficient_user_authentication"') ?? false;
}

/** An error response in the shape that the tRPC client reads. */
export function errorResponse(
  httpStatus: number,
  code: string,
  message: string,
  more: { retryAfterSeconds?: number } = {},
): Response {
  const error = { message, code: -32603, data: { code, httpStatus, ...more } };
  return Response.json({ error }, { status: httpStatus, headers: { "cache-control": "no-store" } });
}

/** 429, with the wait in its message and in `Retry-After`. RFC 6585 §4. */
export function tooManyRequests(seconds: number): Response {
  const wait = seconds === 1 ? "a second" : `${seconds} seconds`;
  const message = `This session has sent too many requests. Wait ${wait}, then try again.`;
  const response = errorResponse(429, "TOO_MANY_REQUESTS", message, { retryAfterSeconds: seconds });
  response.headers.set("retry-after", String(seconds));
  return response;
}
