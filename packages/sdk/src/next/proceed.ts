import { NextResponse } from "next/server";
import { NO_STORE } from "../cookies/response.ts";
import { pagePathHeader } from "./page-path.ts";
import type { Visit } from "./visit.ts";

/** Does Next go on with the request after this response? */
export const goesOn = ({ headers }: Response) =>
  headers.has("x-middleware-next") || headers.has("x-middleware-rewrite");

const OVERRIDDEN = "x-middleware-override-headers";
const REQUEST_HEADER = "x-middleware-request-";

/**
 * Lets the request through, with the cookies of a renewed session. Another proxy's response keeps its rewrite and its
 * headers; what it changed in the request's headers stays changed.
 */
export function proceed({ request, incoming, setCookies }: Visit, decided: Response | undefined): Response {
  const headers = new Headers(request.headers);
  const [name, value] = pagePathHeader(incoming.url);
  headers.set(name, value);
  const response = decided ?? NextResponse.next({ request: { headers } });
  if (decided) {
    const own = NextResponse.next({ request: { headers } });
    const overridden = decided.headers.get(OVERRIDDEN);
    if (overridden === null) copyOverrides(own, decided);
    else decided.headers.set(OVERRIDDEN, `${overridden},${name}`);
    decided.headers.set(REQUEST_HEADER + name, value);
  }
  const cookies = setCookies();
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  // PK-41: without it Next would let caches keep a prerendered page, with the cookie.
  if (cookies.length > 0) response.headers.set("cache-control", NO_STORE["cache-control"]);
  return response;
}

function copyOverrides(from: Response, to: Response): void {
  for (const [name, value] of from.headers)
    if (name === OVERRIDDEN || name.startsWith(REQUEST_HEADER)) to.headers.set(name, value);
}
