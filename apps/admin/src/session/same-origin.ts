/**
 * True when a page of the console sent this request. Others must not reach the signed-in user's data.
 * Checks `Sec-Fetch-Site`, or `Origin` if the browser does not send it; a request with neither is rejected.
 */
export function isSameOrigin(request: Request, adminUrl: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return request.headers.get("origin") === new URL(adminUrl).origin;
}
