import type { AuthorizationRequest } from "../authorization/checks.ts";
import { needsConsent } from "../authorization/consent.ts";
import { openRequest, type PendingRequest, sealRequest } from "../authorization/pending-request.ts";
import {
  type AuthorizeResult,
  answerRequest,
  MAX_QUERY_LENGTH,
  redirectWithCode,
  refuseExpiredRequest,
  refuseOnPage,
} from "../authorization/response.ts";
import { admitUnregisteredClient } from "../authorization/unregistered-client.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { ActiveSession } from "../sessions/session.ts";
import { readIdTokenHint } from "../tokens/id-token.ts";

/**
 * The authorization endpoint, OAuth 2.1 §4.1. `params` are the query of a GET or the form of a POST. Writes only a code, when the
 * user need not be asked, or the cause of a refusal.
 */
export async function authorize(
  params: URLSearchParams,
  session: ActiveSession | undefined,
  deps: Deps,
  caller: Caller,
): Promise<AuthorizeResult> {
  if (params.toString().length > MAX_QUERY_LENGTH) return refuseOnPage(tooLong(), { values: {} }, deps, caller);
  const unsealed = { params, pushed: undefined };
  const interrupted = await admitUnregisteredClient(unsealed, session, deps, caller);
  return interrupted ?? answerRequest(unsealed, deps, caller, (request) => proceed(request, session, undefined, deps));
}

/** Continues a request after sign-in or sign-up. Validates it again, because the client may have changed. */
export async function resumeAuthorization(
  sealed: string,
  session: ActiveSession | undefined,
  deps: Deps,
  caller: Caller,
): Promise<AuthorizeResult> {
  const pending = openRequest("sign-in", sealed, deps);
  if (!pending) return refuseExpiredRequest(sealed, deps, caller);
  const interrupted = await admitUnregisteredClient(pending, session, deps, caller);
  return interrupted ?? answerRequest(pending, deps, caller, (request) => proceed(request, session, pending, deps));
}

async function proceed(
  request: AuthorizationRequest,
  session: ActiveSession | undefined,
  pending: PendingRequest | undefined,
  deps: Deps,
): Promise<AuthorizeResult> {
  const silent = request.prompts.has("none");
  const hinted = request.parameters.values.id_token_hint === undefined ? undefined : await hintedUser(request, deps);
  if (session && pending && isNewSignIn(session, pending) && isOtherUser(session, hinted)) {
    throw unmet("login_required", "the user who signed in is not the one in id_token_hint");
  }
  if (!session || isOtherUser(session, hinted) || needsSignIn(request, session, pending, deps.now())) {
    if (silent) throw unmet("login_required", "the user must sign in");
    const sealed = sealRequest("sign-in", request.parameters, session?.session.id ?? null, deps);
    return { kind: "sign_in", request: sealed, loginHint: request.loginHint };
  }
  if (await needsConsent(request, session, deps)) {
    if (silent) throw unmet("consent_required", "the user must be asked for consent");
    return { kind: "consent", request: sealRequest("consent", request.parameters, session.session.id, deps) };
  }
  return redirectWithCode(request, session, undefined, deps);
}

/** OpenID Connect Core §3.1.2.1: `prompt=login` and `max_age` require a sign-in after the request. */
function needsSignIn(request: AuthorizationRequest, active: ActiveSession, pending: PendingRequest | undefined, now: number): boolean {
  if (pending && isNewSignIn(active, pending)) return false;
  if (request.prompts.has("login") || request.prompts.has("select_account") || request.maxAgeSeconds === 0) return true;
  return request.maxAgeSeconds !== undefined && now - active.session.authTime > request.maxAgeSeconds;
}

function isNewSignIn({ session }: ActiveSession, pending: PendingRequest): boolean {
  return session.id !== pending.sessionId && session.authTime >= pending.issuedAt;
}

/** The user in the id token that the client sent as a hint. OI-04. */
async function hintedUser({ parameters, client }: AuthorizationRequest, deps: Deps): Promise<string | undefined> {
  const sent = parameters.values.id_token_hint;
  const hint = sent === undefined ? undefined : await readIdTokenHint(sent, deps);
  return hint?.clientId === client.clientId ? hint.userId : undefined;
}

function isOtherUser({ user }: ActiveSession, hinted: string | undefined): boolean {
  return hinted !== undefined && user.id !== hinted;
}

function unmet(code: "login_required" | "consent_required", sentence: string): OAuthError {
  return new OAuthError(code, "prompt_none_unmet", sentence, { description: sentence });
}

function tooLong(): OAuthError {
  return new OAuthError("invalid_request", "request_too_large", "the query is too long", {
    status: 414,
    description: `The request is longer than ${MAX_QUERY_LENGTH} characters.`,
  });
}
