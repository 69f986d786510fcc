import { localPath, pathOf } from "@gatehouse/guard/routes";
import { appUrlOf } from "../app-url.ts";
import type { Context } from "../context.ts";
import { NO_STORE, withCookies } from "../cookies/response.ts";
import { signInPath } from "../handlers/demand.ts";
import { callerOf } from "./caller.ts";
import { refuseAsJson } from "./json.ts";
import type { Refusal } from "./refusal.ts";

/** The response to a refused request, by the failure table. `setCookies` are sent along. PK-43, PK-60. */
export async function refuse(
  request: Pick<Request, "method" | "headers" | "url">,
  refusal: Refusal,
  setCookies: readonly string[],
  context: Context,
): Promise<Response> {
  const app = appUrlOf(request, context.settings);
  if (callerOf(request, app.basePath) === "fetch") return withCookies(refuseAsJson(refusal), setCookies);

  const here = placeOf(request.url, app.basePath + context.settings.path) ?? `${app.basePath}/`;
  if (refusal.reason === "signed_out" || refusal.reason === "sign_in_too_old") {
    const demand = refusal.reason === "sign_in_too_old" ? refusal : {};
    const location = app.origin + (await signInPath({ returnTo: here, ...demand }, app.basePath, context));
    return withCookies(new Response(null, { status: 303, headers: { location, ...NO_STORE } }), setCookies);
  }
  const signIn = await signInPath({ returnTo: here, prompt: "login" }, app.basePath, context);
  const { refusePage } = await import("./page.ts");
  return withCookies(refusePage(refusal, { here, signIn }), setCookies);
}

/** The path and query of a URL as written, if they are a place to return to. */
function placeOf(url: string, handlers: string): string | undefined {
  const path = pathOf(url);
  const query = /\?[^#]*/.exec(url)?.[0] ?? "";
  return localPath(path + query, { outside: handlers });
}
