import { normalisePath, pathOf } from "@gatehouse/guard/routes";

/**
 * Who waits for a response: a row of the failure table. `page` is a navigation, and what a browser or Next loads ahead
 * of one: it is redirected to sign in, where only a navigation goes on. `fetch` is everything else. PK-43.
 */
export type CallerKind = "page" | "fetch";

type Sent = Pick<Request, "method" | "headers" | "url">;

/** Where programs ask, whatever their headers say. */
const API = /^\/(?:api|trpc)(?:\/|$)/;

export function callerOf(request: Sent, basePath = ""): CallerKind {
  if (request.method !== "GET" || isApi(request, basePath)) return "fetch";
  return isNavigation(request) || isAhead(request.headers) ? "page" : "fetch";
}

function isApi({ url }: Sent, basePath: string): boolean {
  const path = normalisePath(pathOf(url));
  if (path === undefined) return true;
  const base = basePath.toLowerCase();
  return API.test(base !== "" && path.startsWith(`${base}/`) ? path.slice(base.length) : path);
}

/** Will a browser show the response as a page? Programs and older browsers send no `Sec-Fetch-Mode`. */
export function isNavigation({ headers }: Pick<Request, "headers">): boolean {
  const mode = headers.get("sec-fetch-mode");
  return mode === null ? (headers.get("accept") ?? "").includes("text/html") : mode === "navigate";
}

const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"];
const AHEAD = /\b(?:prefetch|prerender|preview)\b/i;

/** Does the browser ask ahead of its user, or Next for the data of a page? */
export function isAhead(headers: Headers): boolean {
  if (headers.has("rsc") || headers.has("next-router-prefetch")) return true;
  return PURPOSES.some((name) => AHEAD.test(headers.get(name) ?? ""));
}
