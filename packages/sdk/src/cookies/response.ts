/** Never cached: it is about one user at one moment. PK-41. */
export const NO_STORE = { "cache-control": "private, no-store" } as const;

/** The same response with these cookies; the app's own page may have headers that cannot change. */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  if (cookies.length === 0) return response;
  const headers = new Headers(response.headers);
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  headers.set("cache-control", NO_STORE["cache-control"]); // PK-41
  return new Response(response.body, { status: response.status, headers });
}
