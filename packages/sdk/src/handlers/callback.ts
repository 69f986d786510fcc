import { AuthorizationResponseError } from "oauth4webapi";
import { appUrlOf } from "../app-url.ts";
import type { Context } from "../context.ts";
import { SIGN_IN_SECONDS } from "../cookies/jar.ts";
import { NO_STORE, withCookies } from "../cookies/response.ts";
import { GatehouseError } from "../error.ts";
import { isKept, keepUntil } from "../process-state.ts";
import { plainErrorId } from "../server/failure.ts";
import { GrantEnded } from "../server/outcome.ts";
import { exchangeCode } from "../server/tokens.ts";
import { beginSession } from "../session/begin.ts";
import { replaceSession } from "../session/ended.ts";
import { TOO_LARGE } from "../session/storage.ts";
import { signInPath } from "./demand.ts";
import type { ProblemReason } from "./problem.ts";
import { problemPage } from "./problem-page.ts";
import { redirectUri } from "./sign-in.ts";
import { type PendingSignIn, readSignIns, type SignIns, signInsCookie } from "./sign-ins.ts";

/**
 * GET callback: exchanges the code for tokens, keeps the session, and returns to where the user wanted to go. Only the
 * browser that began this sign-in can complete it, and once. OAuth 2.1 §4.1.3, PK-30.
 */
export async function callback(request: Request, context: Context): Promise<Response> {
  const { settings, state: shared } = context;
  const app = appUrlOf(request, settings);
  const parameters = new URL(request.url).searchParams;
  const signIns = await readSignIns(request.headers, context);
  const pending = signIns.pending.find(({ state }) => state === parameters.get("state"));
  const tryAgain = await signInPath({ returnTo: pending?.returnTo ?? `${app.basePath}/` }, app.basePath, context);
  const now = settings.now();
  if (!pending || isKept(shared.spent, `state ${pending.state}`, now))
    return problemPage("expired", { tryAgain }, settings);
  // A code that is exchanged twice revokes its grant, so the second of two callbacks must not get that far.
  keepUntil(shared.spent, `state ${pending.state}`, now + SIGN_IN_SECONDS * 1000, now);

  const others: SignIns = { ...signIns, pending: signIns.pending.filter((one) => one !== pending) };
  try {
    const cookies = await complete(
      request,
      { parameters, pending, redirectUri: redirectUri(app, settings.path) },
      context,
    );
    if (!cookies) {
      settings.onError(new GatehouseError("session_too_large", TOO_LARGE));
      return withCookies(await problemPage("too_large", { tryAgain }, settings), [
        await signInsCookie(others, context),
      ]);
    }
    const completed = [...others.completed, { at: Math.floor(now / 1000), isStepUp: pending.isStepUp }];
    const headers = { location: app.origin + pending.returnTo, ...NO_STORE };
    const response = new Response(null, { status: 303, headers });
    return withCookies(response, [...cookies, await signInsCookie({ ...others, completed }, context)]);
  } catch (error) {
    const { reason, errorId } = problemOf(error, context);
    return withCookies(await problemPage(reason, { tryAgain, errorId }, settings), [
      await signInsCookie(others, context),
    ]);
  }
}

/** The session's `Set-Cookie` values; undefined if it is too large. */
async function complete(
  request: Request,
  { parameters, pending, redirectUri }: { parameters: URLSearchParams; pending: PendingSignIn; redirectUri: string },
  context: Context,
): Promise<string[] | undefined> {
  const { state, verifier } = pending;
  const nonce = pending.nonce ?? undefined;
  const answer = await exchangeCode(context, { parameters, state, nonce, verifier, redirectUri });
  const payload = await beginSession(answer, context);
  const previous = await context.storage.read(request.headers);
  const cookies = await context.storage.create(payload, request.headers);
  if (cookies && previous) replaceSession(previous.payload, context);
  return cookies;
}

function problemOf(error: unknown, { settings }: Context): { reason: ProblemReason; errorId: string | undefined } {
  if (error instanceof AuthorizationResponseError) {
    const errorId = plainErrorId(/\(error_id: ([\w-]+)\)$/.exec(error.error_description ?? "")?.[1]);
    return { reason: error.error === "access_denied" ? "denied" : "failed", errorId };
  }
  if (error instanceof GrantEnded) return { reason: "expired", errorId: error.errorId };
  if (!(error instanceof GatehouseError)) throw error;
  settings.onError(error);
  return { reason: error.code === "unavailable" ? "unreachable" : "failed", errorId: error.errorId };
}
