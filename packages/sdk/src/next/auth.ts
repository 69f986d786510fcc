import type { Core } from "../core.ts";
import type { Demand } from "../refusal/refusal.ts";
import type { Auth, Session } from "../session/session.ts";
import { currentRequest } from "./current-request.ts";
import { endRequest } from "./end-request.ts";
import { type Guarded, guardHandler, type RouteHandler } from "./handler.ts";

/** Who sent the request that Next answers. Works in pages, layouts, handlers and Actions, with or without the proxy. */
export type NextAuth = {
  /** The session, or `{ user: null }`. Where the server cannot be reached, see `protect`. PK-37. */
  (): Promise<Auth>;
  /**
   * The session, if it is all that is required. Otherwise it ends the request: a page and an Action redirect to sign in
   * and back; without a permission a page is forbidden, and an Action throws. PK-38.
   */
  protect(demand?: Demand): Promise<Session>;
  /**
   * Wraps a handler of `route.ts`, which is only called with a session that is all that is required. Other requests get
   * the response of the failure table, which no handler could end its request with: JSON and its status for a fetch, a
   * redirect or a page for a navigation.
   */
  protect<Context>(demand: Demand, handler: Guarded<Context>): RouteHandler<Context>;
};

export function createAuth(core: Core): NextAuth {
  async function auth(): Promise<Auth> {
    const current = await currentRequest();
    const reading = await core.read(current.request, current);
    current.setCookies(reading.setCookies);
    return reading.kind === "signed_in" ? reading.session : { user: null };
  }

  async function protectPage(demand: Demand): Promise<Session> {
    const current = await currentRequest();
    const result = await core.protect(current.request, demand, current);
    current.setCookies(result.setCookies);
    return result.ok ? result.session : endRequest(core, current, result.refusal);
  }

  function protect(demand?: Demand): Promise<Session>;
  function protect<Context>(demand: Demand, handler: Guarded<Context>): RouteHandler<Context>;
  function protect<Context>(demand: Demand = {}, handler?: Guarded<Context>) {
    return handler ? guardHandler(core, demand, handler) : protectPage(demand);
  }
  return Object.assign(auth, { protect });
}
