import type { AuthorizationRequest } from "../authorization/checks.ts";
import { askForConsent } from "../authorization/consent.ts";
import { PROVIDER_CLOCK_SECONDS } from "../authorization/granting.ts";
import { levelStepOf } from "../authorization/level-step.ts";
import { unmetLevel } from "../authorization/levels.ts";
import { openRequest, type PendingRequest, sealRequest, userCodeOf } from "../authorization/pending-request.ts";
import { needsConsent } from "../authorization/remembered-consent.ts";
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
import { requireExemptUser } from "../request-policy.ts";
import { isUndated } from "../sessions/levels.ts";
import type { ActiveSession } from "../sessions/session.ts";
import { readIdTokenHint } from "../tokens/id-token.ts";

/**
 * The authorization endpoint, OAuth 2.1 §4.1. `params` are the query of a GET or the form of a POST. Writes only a
 * code, when the user need not be asked, or the cause of a refusal.
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

/**
 * Continues a request after sign-in or sign-up: an authorization request, or that of a device. Validates it again,
 * because the client may have changed. `declined`: the user pressed "Not now" instead of raising the level.
 */
export async function resumeAuthorization(
  sealed: string,
  session: ActiveSession | undefined,
  deps: Deps,
  caller: Caller,
  { declined = false }: { declined?: boolean } = {},
): Promise<AuthorizeResult> {
  const pending = openRequest("sign-in", sealed, deps);
  if (!pending) return refuseExpiredRequest(sealed, deps, caller);
  const userCode = userCodeOf(pending);
  if (userCode !== undefined) return { kind: "device", userCode };
  const interrupted = await admitUnregisteredClient(pending, session, deps, caller);
  const resumed = { ...pending, sealed, declined };
  return interrupted ?? answerRequest(pending, deps, caller, (request) => proceed(request, session, resumed, deps));
}

/** Undefined for the first visit to the authorization endpoint. */
type Resumed = (PendingRequest & { sealed: string; declined: boolean }) | undefined;

/** Without a session: to the sign-in page (AZ-22). */
async function proceed(
  request: AuthorizationRequest,
  session: ActiveSession | undefined,
  pending: Resumed,
  deps: Deps,
): Promise<AuthorizeResult> {
  const silent = request.prompts.has("none");
  const hinted = request.parameters.values.id_token_hint === undefined ? undefined : await hintedUser(request, deps);
  if (session && pending && isNewSession(session, pending) && isOtherUser(session, hinted)) {
    throw unmet("login_required", "the user who signed in is not the one in id_token_hint");
  }
  if (!session || isOtherUser(session, hinted) || needsSignIn(request, session, pending, deps.now())) {
    if (silent) throw unmet("login_required", "the user must sign in");
    const sealed = sealRequest(request.parameters, session?.session.id ?? null, deps);
    return {
      kind: "sign_in",
      request: sealed,
      loginHint: request.loginHint,
      create: request.prompts.has("create"),
      renews: session !== undefined && asksSameUser(request, session, hinted),
    };
  }
  requireExemptUser(request.exemption, session.user);
  if (request.client.options.requireVerifiedEmail && session.user.emailVerifiedAt === null) {
    if (silent) throw unmet("interaction_required", "the user must verify an email address");
    // A sign-in that the request asked for was done: the same value remembers that, a new one would ask for it again.
    return { kind: "verify_email", request: pending?.sealed ?? sealRequest(request.parameters, null, deps) };
  }
  const since = pending?.issuedAt ?? deps.now();
  const raising = await raiseLevel(request, session, pending, deps);
  if (raising) return raising;
  if (await needsConsent(request, session, deps)) {
    if (silent) throw unmet("consent_required", "the user must be asked for consent");
    return askForConsent(request, session, since, deps);
  }
  return redirectWithCode(request, session, { since, remember: false }, deps);
}

/**
 * Leads the user to the level that the request asks for; undefined if the session meets it, or if the user declined a
 * wish. AL-02.
 */
async function raiseLevel(
  request: AuthorizationRequest,
  active: ActiveSession,
  pending: Resumed,
  deps: Deps,
): Promise<AuthorizeResult | undefined> {
  const step = await levelStepOf(request, active, deps);
  if (step.kind === "met") return undefined;
  if (request.prompts.has("none")) {
    if (step.required) throw unmet("login_required", "the user must sign in at a higher level");
    return undefined;
  }
  // A user who signed in for this request and is still below its first factor's level chose the weaker way.
  const given = pending && (pending.declined || (step.kind === "sign_in" && isNewSession(active, pending)));
  if (given && step.required) throw unmetLevel();
  if (given) return undefined;
  // As for "verify_email": a new value would ask for the sign-in again.
  const isDone = pending && step.kind === "second_step" && isNewSession(active, pending);
  const sealed = isDone ? pending.sealed : sealRequest(request.parameters, active.session.id, deps);
  return step.kind === "sign_in"
    ? { kind: "sign_in", request: sealed, loginHint: active.user.email, create: false, renews: true }
    : { kind: "second_step", request: sealed };
}

/** `create`: OpenID Connect Prompt Create §4. RG-11. */
const PROMPTS_OF_A_CHOICE = ["select_account", "create"] as const;

/**
 * OpenID Connect Core §3.1.2.1: `prompt=login` and `max_age` require an authentication after the request, the other
 * prompts that the user chooses an account here. A provider can report an earlier authentication for a session that
 * began just now, or none: that is no answer to a request that asks when. OI-03, UP-13.
 */
function needsSignIn(
  request: AuthorizationRequest,
  active: ActiveSession,
  pending: PendingRequest | undefined,
  now: number,
): boolean {
  const asksWhen = request.prompts.has("login") || request.parameters.values.max_age !== undefined;
  const isUnknownWhen = asksWhen && isUndated(active.session);
  if (pending && isNewSignIn(active, pending) && !isUnknownWhen) return false;
  const chosen = pending !== undefined && isNewSession(active, pending);
  if (!chosen && PROMPTS_OF_A_CHOICE.some((prompt) => request.prompts.has(prompt))) return true;
  if (request.prompts.has("login") || request.maxAgeSeconds === 0 || isUnknownWhen) return true;
  return request.maxAgeSeconds !== undefined && now - active.session.authTime > request.maxAgeSeconds;
}

function isNewSignIn(active: ActiveSession, pending: PendingRequest): boolean {
  const { method, authTime } = active.session;
  return (
    isNewSession(active, pending) && authTime >= pending.issuedAt - (method === "upstream" ? PROVIDER_CLOCK_SECONDS : 0)
  );
}

function isNewSession({ session }: ActiveSession, pending: PendingRequest): boolean {
  return session.id !== pending.sessionId && session.createdAt >= pending.issuedAt;
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

/** Is the request for the signed-in user, so that only their proof is missing? OI-03. */
function asksSameUser(
  { prompts, loginHint }: Pick<AuthorizationRequest, "prompts" | "loginHint">,
  active: ActiveSession,
  hinted: string | undefined,
): boolean {
  if (isOtherUser(active, hinted) || PROMPTS_OF_A_CHOICE.some((prompt) => prompts.has(prompt))) return false;
  return loginHint === undefined || loginHint.trim().toLowerCase() === active.user.email;
}

function unmet(code: "login_required" | "consent_required" | "interaction_required", sentence: string): OAuthError {
  return new OAuthError(code, "prompt_none_unmet", sentence, { description: sentence });
}

function tooLong(): OAuthError {
  return new OAuthError("invalid_request", "request_too_large", "the query is too long", {
    status: 414,
    description: `The request is longer than ${MAX_QUERY_LENGTH} characters.`,
  });
}
