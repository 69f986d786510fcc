import type { NextRequest } from "next/server";
import { NO_STORE } from "../cookies/response.ts";
import type { Core } from "../core.ts";
import type { Demand } from "../refusal/refusal.ts";
import type { Session } from "../session/session.ts";
import { currentRequest } from "./current-request.ts";

/** A handler as Next calls it. `context` has the `params` of the route. */
export type RouteHandler<Context> = (request: NextRequest, context: Context) => Promise<Response>;
/** A handler behind `protect`: its context has the session as well. */
export type Guarded<Context> = (
  request: NextRequest,
  context: Context & { session: Session },
) => Response | Promise<Response>;

/** Calls the handler for a session that is all that is required, and answers every other request. PK-38. */
export function guardHandler<Context>(core: Core, demand: Demand, handler: Guarded<Context>): RouteHandler<Context> {
  return async (request, context) => {
    const current = await currentRequest();
    const { headers } = current.request;
    const asked = { method: request.method, headers, url: request.url };
    const result = await core.protect(asked, demand, { canSetCookies: true });
    if (!result.ok) return core.refuse(asked, result.refusal, result.setCookies);
    current.setCookies(result.setCookies); // Next adds them to whatever the handler returns
    const response = await handler(request, { ...context, session: result.session });
    return result.setCookies.length === 0 ? response : uncached(response);
  };
}

/** PK-41. A copy, because the headers of some responses cannot change. */
function uncached(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set("cache-control", NO_STORE["cache-control"]);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
