import type { NextRequest } from "next/server";
import type { SessionDemand } from "../accept.ts";
import type { Core, Incoming } from "../core.ts";
import { GatehouseError } from "../error.ts";
import { errorOf } from "../refusal/json.ts";
import type { Refusal } from "../refusal/refusal.ts";
import type { Auth, Session } from "../session/session.ts";

/** What a callback can ask about the caller, with the same names as `auth` of pages. */
export type ProxyAuth = {
  (): Promise<Auth>;
  /**
   * The session, if it is all that is required. Otherwise it throws GatehouseError, and the request ends by the failure
   * table, unless the callback catches the error and returns a response of its own.
   */
  protect(demand?: SessionDemand): Promise<Session>;
};

/** Ends a visit; the proxy answers it and lets it go no further. */
export class Refused extends GatehouseError {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    const { code, message, retryAfterSeconds } = errorOf(refusal);
    super(code, message, { retryAfterSeconds });
    this.refusal = refusal;
  }
}

/** One request on its way through the proxy. */
export type Visit = {
  request: NextRequest;
  /** As the browser sent it: with the base path. */
  incoming: Incoming;
  /** As the guard matches it: without. */
  guarded: Request;
  auth: ProxyAuth;
  setCookies(): readonly string[];
};

export function visitFor(core: Core, request: NextRequest): Visit {
  const { basePath, pathname, search } = request.nextUrl;
  const incoming = {
    method: request.method,
    headers: withRouterHeader(request.headers),
    url: basePath + pathname + search,
  };
  const guarded =
    basePath === "" ? request : new Request(new URL(pathname + search, request.url), { method: request.method });
  let setCookies: readonly string[] = [];

  const auth = async (): Promise<Auth> => {
    const reading = await core.read(incoming, { canSetCookies: true });
    setCookies = reading.setCookies;
    return reading.kind === "signed_in" ? reading.session : { user: null };
  };
  const protect = async (demand: SessionDemand = {}): Promise<Session> => {
    const result = await core.protect(incoming, demand, { canSetCookies: true });
    setCookies = result.setCookies;
    if (!result.ok) throw new Refused(result.refusal);
    return result.session;
  };
  return { request, incoming, guarded, auth: Object.assign(auth, { protect }), setCookies: () => setCookies };
}

/** Next takes the headers of its router away from the proxy, and leaves only this one that the router always sends. */
function withRouterHeader(headers: Headers): Headers {
  if (!headers.has("next-url")) return headers;
  const all = new Headers(headers);
  all.set("rsc", "1");
  return all;
}
