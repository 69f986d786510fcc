import { localPath } from "@gatehouse/guard/routes";
import { calculatePKCECodeChallenge } from "oauth4webapi";
import { appUrlOf } from "../app-url.ts";
import type { Context } from "../context.ts";
import { NO_STORE } from "../cookies/response.ts";
import { base64url } from "../cookies/seal.ts";
import { GatehouseError } from "../error.ts";
import { isAhead } from "../refusal/caller.ts";
import { findServer } from "../server/tokens.ts";
import { readSession } from "../session/read.ts";
import type { AppUrl, SessionSettings } from "../settings.ts";
import { openDemand, type SignInDemand, signInPath } from "./demand.ts";
import { problemPage } from "./problem-page.ts";
import { isLoop, type PendingSignIn, readSignIns, signInsCookie } from "./sign-ins.ts";

const SECRET_BYTES = 32;

/**
 * GET sign-in: sends the browser to the server's authorization endpoint with PKCE, state and nonce. OAuth 2.1 §4.1.1.
 * `return_to` is a path of this app, `prompt=login` asks for credentials again, `demand` comes from `protect`. PK-30.
 */
export async function signIn(request: Request, context: Context): Promise<Response> {
  // PK-43: prefetches and fetches cannot follow a redirect to another origin, and no user asked to sign in.
  if (isAhead(request.headers) || request.headers.get("sec-fetch-dest") === "empty")
    return new Response(null, { status: 204, headers: NO_STORE });

  const { settings } = context;
  const app = appUrlOf(request, settings);
  const query = new URL(request.url).searchParams;
  const returnTo = returnPath(query.get("return_to"), app, settings);
  const demand = await openDemand(query.get("demand"), context);
  const isStepUp = demand.maxAge !== undefined || demand.acr !== undefined;
  const tryAgain = await signInPath({ ...demand, returnTo }, app.basePath, context);

  const signIns = await readSignIns(request.headers, context);
  if (isLoop(signIns, { isStepUp }) && (isStepUp || !(await isSignedIn(request, context))))
    return problemPage("looping", { tryAgain }, settings);

  const pending: PendingSignIn = {
    ...secretsOf(settings),
    returnTo,
    at: Math.floor(settings.now() / 1000),
    isStepUp,
  };
  const prompt = demand.prompt ?? (query.get("prompt") === "login" ? "login" : undefined);
  try {
    const { authorization_endpoint } = await findServer(context);
    const to = await authorizationUrl(
      authorization_endpoint ?? "",
      pending,
      { ...demand, ...(prompt && { prompt }) },
      app,
      settings,
    );
    const response = new Response(null, { status: 303, headers: { location: to, ...NO_STORE } });
    response.headers.append(
      "set-cookie",
      await signInsCookie({ ...signIns, pending: [...signIns.pending, pending] }, context),
    );
    return response;
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error;
    settings.onError(error);
    const reason = error.code === "unavailable" ? "unreachable" : "failed";
    return problemPage(reason, { tryAgain, errorId: error.errorId }, settings);
  }
}

/** A path of this app, but none of the handlers: returning to sign-out or the callback would undo the sign-in. PK-30, N85. */
function returnPath(value: string | null, { basePath }: AppUrl, { path }: SessionSettings): string {
  return localPath(value, { outside: basePath + path }) ?? `${basePath}/`;
}

async function isSignedIn(request: Request, context: Context): Promise<boolean> {
  const { kind } = await readSession(request, { canSetCookies: false }, context);
  return kind !== "signed_out";
}

function secretsOf({ random, scope }: SessionSettings): Pick<PendingSignIn, "state" | "nonce" | "verifier"> {
  const secret = () => base64url(random(SECRET_BYTES));
  return { state: secret(), verifier: secret(), nonce: scope.split(" ").includes("openid") ? secret() : null };
}

async function authorizationUrl(
  endpoint: string,
  { state, nonce, verifier }: PendingSignIn,
  { maxAge, acr, prompt }: SignInDemand,
  app: AppUrl,
  { clientId, scope, path }: SessionSettings,
): Promise<string> {
  const url = new URL(endpoint);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri(app, path),
    scope,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(nonce !== null && { nonce }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
    ...(acr && { acr_values: acr.join(" ") }),
    ...(prompt && { prompt }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Where the server sends the browser back to; registered for the client, and compared character by character. PK-47. */
export function redirectUri({ origin, basePath }: AppUrl, path: string): string {
  return `${origin}${basePath}${path}/callback`;
}
