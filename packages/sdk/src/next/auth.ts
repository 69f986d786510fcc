import type { ApiDemand, AuthBy, AuthDemand, SessionDemand } from "../accept.ts";
import type { Authorizer } from "../authorize.ts";
import type { Core } from "../core.ts";
import type { Caller } from "../protect.ts";
import type { Auth, Session } from "../session/session.ts";
import { currentRequest } from "./current-request.ts";
import { endRequest } from "./end-request.ts";
import type { Guarded, RouteHandler } from "./handler.ts";

/** Who sent the request that Next answers. Works in pages, layouts, handlers and Actions, with or without the proxy. */
export type NextAuth = {
  /** The session, or `{ user: null }`. Where the server cannot be reached, see `protect`. PK-37. */
  (): Promise<Auth>;
  /**
   * The session, if it is all that is required. Otherwise it ends the request: a page and an Action redirect to sign in
   * and back; without a permission a page is forbidden, and an Action throws. PK-38.
   */
  protect(demand?: SessionDemand): Promise<Session>;
  /**
   * Wraps a handler of `route.ts`, which is only called with a session that is all that is required. Other requests get
   * the response of the failure table, which no handler could end its request with: JSON and its status for a fetch, a
   * redirect or a page for a navigation.
   */
  protect<Context>(demand: SessionDemand, handler: Guarded<Context>): RouteHandler<Context>;
  /**
   * With `accept: "bearer"`, the handler is called for a valid access token in the `Authorization` header; with `"any"`,
   * for a token from a request that has this header, and for a session from one that has not. `auth.via` says which.
   */
  protect<Context, A extends keyof AuthBy>(
    demand: ApiDemand<A>,
    handler: Guarded<Context, { auth: AuthBy[A] }>,
  ): RouteHandler<Context>;
};

/** `openAuthorizer` is called for handlers alone: what checks access tokens is loaded with the first of them. PK-63 */
export function createAuth(core: Core, openAuthorizer: () => Promise<Authorizer>): NextAuth {
  async function auth(): Promise<Auth> {
    const current = await currentRequest();
    const reading = await core.read(current.request, current);
    current.setCookies(reading.setCookies);
    return reading.kind === "signed_in" ? reading.session : { user: null };
  }

  async function protectPage(demand: SessionDemand): Promise<Session> {
    const current = await currentRequest();
    const result = await core.protect(current.request, demand, current);
    current.setCookies(result.setCookies);
    return result.ok ? result.session : endRequest(core, current, result.refusal);
  }

  function guarded<Context>(demand: AuthDemand, handler: Guarded<Context, Caller>): RouteHandler<Context> {
    return async (request, context) => {
      const current = await currentRequest();
      const [authorizer, { callGuarded }] = await Promise.all([openAuthorizer(), import("./handler.ts")]);
      return callGuarded({ authorizer, demand, handler }, { request, context, current });
    };
  }

  function protect(demand?: SessionDemand): Promise<Session>;
  function protect<Context>(demand: SessionDemand, handler: Guarded<Context>): RouteHandler<Context>;
  function protect<Context, A extends keyof AuthBy>(
    demand: ApiDemand<A>,
    handler: Guarded<Context, { auth: AuthBy[A] }>,
  ): RouteHandler<Context>;
  function protect<Context>(demand: AuthDemand = {}, handler?: Guarded<Context, never>) {
    // The overloads say which caller belongs to which demand.
    if (handler) return guarded(demand, handler as Guarded<Context, Caller>);
    return protectPage(demand as SessionDemand); // the core checks it
  }
  return Object.assign(auth, { protect });
}
