import type { NextRequest } from "next/server";
import type { AuthDemand } from "../accept.ts";
import type { Authorizer } from "../authorize.ts";
import { NO_STORE } from "../cookies/response.ts";
import { type Caller, protectRequest } from "../protect.ts";
import type { Session } from "../session/session.ts";
import type { CurrentRequest } from "./current-request.ts";

/** A handler as Next calls it. `context` has the `params` of the route. */
export type RouteHandler<Context> = (request: NextRequest, context: Context) => Promise<Response>;
/** A handler behind `protect`: its context has the caller as well, who is a session unless access tokens count. */
export type Guarded<Context, Found = { session: Session }> = (
  request: NextRequest,
  context: Context & Found,
) => Response | Promise<Response>;

type Guard<Context> = { authorizer: Authorizer; demand: AuthDemand; handler: Guarded<Context, Caller> };
type Call<Context> = { request: NextRequest; context: Context; current: CurrentRequest };

/** Calls the handler for a caller who is all that is required, and answers every other request. PK-38. */
export async function callGuarded<Context>(
  { authorizer, demand, handler }: Guard<Context>,
  { request, context, current }: Call<Context>,
): Promise<Response> {
  const { headers } = current.request;
  const asked = { method: request.method, headers, url: request.url };
  const result = await protectRequest(authorizer, asked, demand);
  if (!result.ok) return result.response;
  current.setCookies(result.setCookies); // Next adds them to whatever the handler returns
  const response = await handler(request, { ...context, ...result.caller });
  return result.setCookies.length === 0 ? response : uncached(response);
}

/** PK-41. A copy, because the headers of some responses cannot change. */
function uncached(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set("cache-control", NO_STORE["cache-control"]);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
