/**
 * Whether a page of our own origin sent this request, so that a session cookie may authorize it. Reads
 * `Sec-Fetch-Site`, or `Origin` where the browser does not send that; a request with neither is rejected. `ownUrl` is
 * any URL of the origin, from configuration. SE-09.
 */
export function isSameOrigin({ headers }: Pick<Request, "headers">, ownUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return headers.get("origin") === new URL(ownUrl).origin;
}
