import { isSameOrigin } from "@gatehouse/guard/routes";
import { appUrlOf } from "../app-url.ts";
import type { Context } from "../context.ts";
import { NO_STORE, withCookies } from "../cookies/response.ts";
import { GatehouseError } from "../error.ts";
import { isNavigation } from "../refusal/caller.ts";
import { refuseAsJson } from "../refusal/json.ts";
import { refusePage } from "../refusal/page.ts";
import { GrantEnded } from "../server/outcome.ts";
import { endSessionEndpoint, revoke } from "../server/tokens.ts";
import { closeSession } from "../session/ended.ts";
import type { Payload } from "../session/payload.ts";
import type { AppUrl } from "../settings.ts";
import { signInPath } from "./demand.ts";
import { problemPage } from "./problem-page.ts";

/**
 * POST sign-out: revokes the tokens, deletes every cookie of this app, and ends the session at Gatehouse through its
 * logout page, if there is an ID token to name it. OpenID Connect RP-Initiated Logout §2. PK-35.
 */
export async function signOut(request: Request, context: Context): Promise<Response> {
  const { settings, jar } = context;
  const app = appUrlOf(request, settings);
  if (!isSameOrigin(request, app.origin)) {
    const refusal = { reason: "cross_origin" } as const; // PK-54
    const home = `${app.basePath}/`;
    return isNavigation(request) ? refusePage(refusal, { here: home, signIn: home }) : refuseAsJson(refusal);
  }

  const { payload, isComplete } = await end(request, context);
  const response = isComplete ? await leave(request, payload, app, context) : await incomplete(app, context);
  return withCookies(response, jar.clearAll());
}

/** Ends the session everywhere; `isComplete: false` if the server, or the store, could not be told. */
async function end(
  { headers }: Request,
  context: Context,
): Promise<{ payload: Payload | undefined; isComplete: boolean }> {
  let payload: Payload | undefined;
  try {
    const held = await context.storage.read(headers);
    if (!held) return { payload, isComplete: true };
    payload = held.payload;
    closeSession(payload, context); // before anything that takes time: requests in flight set no cookie. N83
    await Promise.all([
      context.storage.remove(held, headers),
      revoke(context, payload.refreshToken ?? payload.accessToken),
    ]);
    return { payload, isComplete: true };
  } catch (error) {
    if (error instanceof GrantEnded) return { payload, isComplete: true };
    if (!(error instanceof GatehouseError)) throw error;
    context.settings.onError(error);
    return { payload, isComplete: false };
  }
}

/** Navigations go on; a script is told where to, since it could not follow to another origin. */
async function leave(request: Request, payload: Payload | undefined, app: AppUrl, context: Context): Promise<Response> {
  const back = app.origin + app.basePath + context.settings.afterSignOut;
  const to = payload?.idToken ? await logoutUrl(payload.idToken, back, context) : back;
  if (isNavigation(request)) return new Response(null, { status: 303, headers: { location: to, ...NO_STORE } });
  return Response.json({ signed_out: true, location: to }, { headers: NO_STORE });
}

async function logoutUrl(idToken: string, back: string, context: Context): Promise<string> {
  const url = new URL(await endSessionEndpoint(context));
  url.searchParams.set("id_token_hint", idToken);
  url.searchParams.set("post_logout_redirect_uri", back);
  return url.href;
}

async function incomplete({ basePath }: AppUrl, context: Context): Promise<Response> {
  const tryAgain = await signInPath({ returnTo: `${basePath}/` }, basePath, context);
  return problemPage("sign_out_incomplete", { tryAgain }, context.settings);
}
