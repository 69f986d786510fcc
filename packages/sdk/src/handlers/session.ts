import type { Context } from "../context.ts";
import { NO_STORE, withCookies } from "../cookies/response.ts";
import { readSession } from "../session/read.ts";

/**
 * GET session: who is signed in, for scripts of this app's pages. Always 200, without any token. `status` is
 * `signed-in`, `signed-out` or `unavailable`. PK-46.
 */
export async function session(request: Request, context: Context): Promise<Response> {
  const reading = await readSession(request, { canSetCookies: true }, context);
  const body =
    reading.kind === "signed_in"
      ? { status: "signed-in", ...reading.session }
      : { status: reading.kind === "unavailable" ? "unavailable" : "signed-out", user: null };
  return withCookies(Response.json(body, { headers: { ...NO_STORE, vary: "Cookie" } }), reading.setCookies);
}
