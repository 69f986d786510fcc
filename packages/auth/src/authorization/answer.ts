import { hostOf, type ProvenRedirect, redirectTo } from "../clients/redirect-uri.ts";
import { mintTimeOrdered, mintTimeOrderedId } from "../crypto/secret.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { asOAuthError, recordRefusal } from "../errors/refuse.ts";
import { LIFETIME } from "../lifetimes.ts";
import type { ActiveSession } from "../sessions/session.ts";
import { signInContext } from "../sessions/step-up.ts";
import { type AuthorizationRequest, checkRequest } from "./checks.ts";
import { type AuthorizationParameters, readParameters } from "./parameters.ts";
import { type PendingRequest, restartPath } from "./pending-request.ts";
import { readPushedRequest, spendPushedRequest } from "./pushed-request.ts";
import { findTarget, isClientId, type Target } from "./target.ts";

/** What happens next; the host knows which page or redirect that is. */
export type AuthorizeResult =
  /** 303 to the client, with a code or an error. */
  | { kind: "redirect"; to: ProvenRedirect }
  /** 303 to the sign-in page, which hands `request` to `resumeAuthorization`. */
  | { kind: "sign_in"; request: string; loginHint: string | undefined }
  /** 303 to the consent page, which hands `request` to `openConsent` and `decideConsent`. */
  | { kind: "consent"; request: string }
  /**
   * Our own page with `error.status`, never a redirect: where to would be unproven. `restart` is a local path to begin again; `leave` leads
   * to a client that nobody vouches for, if the user wants to go there (AZ-35). */
  | { kind: "refuse"; error: OAuthError; errorId: string; restart?: string; leave?: { to: ProvenRedirect; host: string } };

const ENDPOINT = "/authorize";
/** The draft asks for 8000 octets of request line at least. AZ-18. */
export const MAX_QUERY_LENGTH = 8192;

/**
 * Checks a request from scratch and lets `next` answer it. Every way out of the authorization endpoint leads through here:
 * before the target is proven errors are shown, after it they are sent there (AZ-09). All are recorded with their cause.
 */
export async function answerRequest(
  asked: Pick<PendingRequest, "params" | "pushed">,
  deps: Deps,
  caller: Caller,
  next: (request: AuthorizationRequest) => Promise<AuthorizeResult>,
): Promise<AuthorizeResult> {
  let parameters = readParameters(asked.params, asked.pushed);
  let target: Target;
  try {
    if (asked.pushed === undefined && parameters.values.request_uri !== undefined) parameters = await readPushedRequest(parameters, deps);
    target = await findTarget(parameters, deps);
  } catch (thrown) {
    return refuseOnPage(thrown, parameters, deps, caller);
  }
  try {
    return await next(checkRequest(parameters, target));
  } catch (thrown) {
    // A pushed request that was decided on meanwhile: the client has had its answer. PA-04.
    if (thrown instanceof OAuthError && thrown.code === "invalid_request_uri") return refuseOnPage(thrown, parameters, deps, caller);
    return redirectError(thrown, target, deps, caller);
  }
}

/** Records the error and has it shown on our own page. */
export async function refuseOnPage(
  thrown: unknown,
  { values }: Pick<AuthorizationParameters, "values">,
  deps: Deps,
  caller: Caller,
): Promise<AuthorizeResult> {
  const error = asOAuthError(thrown);
  const clientId = values.client_id !== undefined && isClientId(values.client_id) ? values.client_id : null;
  return { kind: "refuse", error, errorId: await recordRefusal(error, { endpoint: ENDPOINT, clientId }, deps, caller) };
}

/** The page that says a pending request is over, with a way to begin again where we know it. */
export async function refuseExpiredRequest(sealed: string, deps: Deps, caller: Caller): Promise<AuthorizeResult> {
  const restart = restartPath(sealed, deps);
  const { values } = readParameters(new URLSearchParams(restart?.split("?")[1]));
  const result = await refuseOnPage(expired(restart !== undefined), { values }, deps, caller);
  return restart === undefined || result.kind !== "refuse" ? result : { ...result, restart };
}

/** Records the error and sends it to the client, with nothing beyond what OAuth 2.1 §4.1.2.1 names (AZ-25). */
async function redirectError(thrown: unknown, target: Target, deps: Deps, caller: Caller): Promise<AuthorizeResult> {
  const error = asOAuthError(thrown);
  const errorId = await recordRefusal(error, { endpoint: ENDPOINT, clientId: target.client.clientId }, deps, caller);
  const description = [error.description, `(error_id: ${errorId})`].filter(Boolean).join(" ");
  const { state } = target;
  const to = redirectTo(target.redirectUri, { error: error.code, error_description: description, state, iss: deps.config.issuer });
  // AZ-35: who registered itself would make an open redirector of us by asking for errors.
  if (target.client.origin !== "registered") return { kind: "refuse", error, errorId, leave: { to, host: hostOf(target.redirectUri) } };
  return { kind: "redirect", to };
}

/**
 * Gives the client a code, in the query, with its state and our issuer (AZ-19, AZ-20). `allowed` is what consent the user
 * just gave, to be remembered. A pushed request is spent first and the code is written last, so a crash between them denies.
 */
export async function redirectWithCode(
  request: AuthorizationRequest,
  { user, session }: ActiveSession,
  allowed: string | undefined,
  deps: Deps,
): Promise<AuthorizeResult> {
  const now = deps.now();
  const { client, redirectUri, scope, codeChallenge, state, dpopJkt } = request;
  const { nonce } = request.parameters.values;
  const by = { clientId: client.clientId, userId: user.id };
  const grantId = mintTimeOrderedId(deps);
  const { secret: code, hash } = mintTimeOrdered("authorizationCode", deps);

  await spendPushedRequest(request.parameters.pushed, deps);
  const grant = { id: grantId, ...by, scope, sessionId: session.id, accessEpoch: session.accessEpoch, createdAt: now };
  if (!(await deps.store.saveGrant(grant, session.id))) throw signedOutMeanwhile();
  if (allowed !== undefined) await deps.store.saveConsent({ ...by, scope: allowed, now });
  if (allowed !== undefined && client.origin !== "registered") await deps.store.confirmClient(client.clientId, now);
  await deps.store.saveCode({
    hash,
    grantId,
    ...by,
    redirectUri,
    codeChallenge,
    scope,
    audience: request.audience,
    authTime: session.authTime,
    context: { ...signInContext(session), ...(nonce !== undefined && { nonce }), ...(dpopJkt !== undefined && { dpopJkt }) },
    createdAt: now,
    expiresAt: now + LIFETIME.codeSeconds,
  });
  return { kind: "redirect", to: redirectTo(redirectUri, { code, state, iss: deps.config.issuer }) };
}

/** The session ended between the user's answer and ours: what it would grant must not outlive it. */
function signedOutMeanwhile(): OAuthError {
  return new OAuthError("access_denied", "session_ended", "the session ended while the request was answered", {
    description: "The user signed out. Start again.",
  });
}

function expired(genuine: boolean): OAuthError {
  const message = genuine
    ? "pending request expired or of another session"
    : "pending request altered, sealed under another key, or pushed by the client, who alone can begin it again";
  return new OAuthError("invalid_request", "pending_request_expired", message, {
    status: 400,
    description: "This page was open too long, or in another session. Nothing was shared. Start again from the application.",
  });
}
