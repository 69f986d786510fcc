import type { Context } from "../context.ts";
import { NO_STORE } from "../cookies/response.ts";
import { backchannelLogout } from "./backchannel-logout.ts";
import { callback } from "./callback.ts";
import { session } from "./session.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";

type Handler = (request: Request, context: Context) => Promise<Response>;

/** By the last segment of the path. HEAD is not GET here: it must not begin or complete a sign-in. PK-46. */
const HANDLERS: Record<string, { method: "GET" | "POST"; handle: Handler }> = {
  "sign-in": { method: "GET", handle: signIn },
  callback: { method: "GET", handle: callback },
  "sign-out": { method: "POST", handle: signOut },
  session: { method: "GET", handle: session },
  "backchannel-logout": { method: "POST", handle: backchannelLogout },
};

/** Answers a request for the handler of this name; undefined if there is none. */
export async function handle(name: string, request: Request, context: Context): Promise<Response | undefined> {
  const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
  if (!handler) return undefined;
  if (request.method === handler.method) return handler.handle(request, context);
  const body = { error: "method_not_allowed", error_description: `Use ${handler.method}.` };
  return Response.json(body, { status: 405, headers: { allow: handler.method, ...NO_STORE } });
}
