/**
 * May this request touch the signed-in user's data? Only our own pages may.
 * `Sec-Fetch-Site` decides; where a browser does not send it, `Origin` does; with neither, it is refused.
 */
export function isSameOrigin(request: Request, adminUrl: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return request.headers.get("origin") === new URL(adminUrl).origin;
}
