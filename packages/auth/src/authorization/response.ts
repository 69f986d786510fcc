import { isSelfDescribed } from "../clients/client.ts";
import { type ProvenRedirect, redirectHost, redirectTo, registeredEntry } from "../clients/redirect-uri.ts";
import { shownIdentity } from "../clients/shown-identity.ts";
import { mintTimeOrdered, mintTimeOrderedId } from "../crypto/secret.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { noteLeftOut } from "../errors/left-out.ts";
import { asOAuthError, recordRefusal } from "../errors/refuse.ts";
import { LIFETIME } from "../lifetimes.ts";
import { depsUnder, requireExemptUser } from "../request-policy.ts";
import type { ActiveSession } from "../sessions/session.ts";
import { signInContext } from "../sessions/step-up.ts";
import { type AuthorizationRequest, checkRequest } from "./checks.ts";
import { type ClientResponse, respondToClient } from "./client-response.ts";
import { demandOf, requireForGrant } from "./granting.ts";
import { requestedLevels } from "./levels.ts";
import { type AuthorizationParameters, readParameters } from "./parameters.ts";
import { type PendingRequest, restartPath } from "./pending-request.ts";
import { readPushedRequest, spendPushedRequest } from "./pushed-request.ts";
import { findRedirectTarget, isClientId, type RedirectTarget } from "./target.ts";

/** What the host does next. */
export type AuthorizeResult =
  | ClientResponse
  /**
   * 303 to the sign-in page, or with `create` to the sign-up page; it passes `request` to `resumeAuthorization`.
   * `renews`: to the page where the user of the session proves again who they are, without choosing an account.
   */
  | { kind: "sign_in"; request: string; loginHint: string | undefined; create: boolean; renews: boolean }
  /**
   * 303 to the page where the signed-in user proves the email address; it passes `request` to `resumeAuthorization`.
   */
  | { kind: "verify_email"; request: string }
  /**
   * 303 to the page of the second step, which passes `request` to `describeLevelStep` and `resumeAuthorization`. AL-02.
   */
  | { kind: "second_step"; request: string }
  /** 303 to the page of a device's request, where the user decides. RFC 8628 §3.3. */
  | { kind: "device"; userCode: string }
  /** 303 to the consent page, which passes `request` to `openConsent` and `decideConsent`. */
  | { kind: "consent"; request: string }
  /**
   * An error page with `error.status`, never a redirect: the redirect URI is not proven. `restart` is a local path that
   * starts the request again. `leave` is a link to a client that no admin registered (AZ-35).
   */
  | {
      kind: "refuse";
      error: OAuthError;
      errorId: string;
      restart?: string;
      leave?: { to: ProvenRedirect; host: string };
    };

const ENDPOINT = "/authorize";
/** Characters. The draft requires at least 8000 octets of request line. AZ-18. */
export const MAX_QUERY_LENGTH = 8192;

/**
 * Validates a request from scratch and passes it to `next`. Every response of the authorization endpoint is made here.
 * Errors appear on our own page until client and redirect URI are proven, and are redirected to the client after that
 * (AZ-09). All are recorded with their cause.
 */
export async function answerRequest(
  request: Pick<PendingRequest, "params" | "pushed" | "exemptionId" | "offer">,
  deps: Deps,
  caller: Caller,
  next: (request: AuthorizationRequest) => Promise<AuthorizeResult>,
): Promise<AuthorizeResult> {
  let parameters = readParameters(request.params, request.pushed, request.exemptionId);
  let target: RedirectTarget;
  try {
    if (request.pushed === undefined && parameters.values.request_uri !== undefined)
      parameters = await readPushedRequest(parameters, deps);
    target = await findRedirectTarget(parameters, deps);
  } catch (thrown) {
    return refuseOnPage(thrown, parameters, deps, caller);
  }
  try {
    const checked = await checkRequest(parameters, target, deps, request.offer);
    if (parameters.pushed === undefined)
      await noteLeftOut(checked, { endpoint: ENDPOINT, clientId: target.client.clientId }, deps, caller);
    return await next(checked);
  } catch (thrown) {
    // The pushed request was decided meanwhile, so the client already has its response (PA-04), or the exemption is not
    // this user's.
    if (thrown instanceof OAuthError && thrown.code === "invalid_request_uri")
      return refuseOnPage(thrown, parameters, deps, caller);
    return redirectError(thrown, target, parameters, depsUnder(target.exemption, deps), caller);
  }
}

/** Records an error and shows it on our own page. */
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

/** The error page for an expired pending request, with a link to start again if we can build one. */
export async function refuseExpiredRequest(sealed: string, deps: Deps, caller: Caller): Promise<AuthorizeResult> {
  const restart = restartPath(sealed, deps);
  const { values } = readParameters(new URLSearchParams(restart?.split("?")[1]));
  const result = await refuseOnPage(pendingRequestExpired(restart !== undefined), { values }, deps, caller);
  return restart === undefined || result.kind !== "refuse" ? result : { ...result, restart };
}

/** Records an error and sends it to the client, with only the parameters of OAuth 2.1 §4.1.2.1 (AZ-25). */
async function redirectError(
  thrown: unknown,
  target: RedirectTarget,
  parameters: AuthorizationParameters,
  deps: Deps,
  caller: Caller,
): Promise<AuthorizeResult> {
  const error = asOAuthError(thrown);
  const errorId = await recordRefusal(error, { endpoint: ENDPOINT, clientId: target.client.clientId }, deps, caller);
  const description = [error.description, `(error_id: ${errorId})`].filter(Boolean).join(" ");
  const { redirectUri, state } = target;
  const params = { error: error.code, error_description: description, state, iss: deps.config.issuer };
  if (!isSelfDescribed(target.client)) return respondToClient(redirectUri, parameters, params);
  // AZ-35: a client that registered itself could use error redirects as an open redirector. The user follows a link, in
  // every response mode.
  return {
    kind: "refuse",
    error,
    errorId,
    leave: { to: redirectTo(redirectUri, params), host: redirectHost(redirectUri) },
  };
}

/** `since`: as in a {@link GrantDemand}. `remember`: saves what the request grants as the user's consent. */
type Granting = { since: number; remember: boolean };

/**
 * Returns to the client with a code, its state and our issuer (AZ-19, AZ-20, AC-09, SE-17, MC-03). Throws if the
 * session may not grant. Spends a pushed request first and writes the code last, so that a crash in between denies.
 */
export async function redirectWithCode(
  request: AuthorizationRequest,
  active: ActiveSession,
  { since, remember }: Granting,
  plain: Deps,
): Promise<AuthorizeResult> {
  const { client, redirectUri, scope, codeChallenge, state, dpopJkt, exemption } = request;
  const deps = depsUnder(exemption, plain);
  const now = deps.now();
  const { user, session } = active;
  requireForGrant(demandOf(request, since), active, deps.config);
  const { nonce } = request.parameters.values;
  const by = { clientId: client.clientId, userId: user.id };
  requireExemptUser(exemption, user);
  const grantId = exemption?.grantId ?? mintTimeOrderedId(deps);
  const { secret: code, hash } = mintTimeOrdered("authorizationCode", deps);

  await spendPushedRequest(request.parameters.pushed, deps);
  const grant = { id: grantId, ...by, scope, sessionId: session.id, accessEpoch: session.accessEpoch, createdAt: now };
  if (exemption?.grantId === undefined && !(await deps.store.saveGrant(grant, session.id)))
    throw signedOutMeanwhile(session.userId);
  if (remember) {
    const audience = request.audience ?? deps.config.resource;
    await deps.store.saveConsent({ ...by, scope, audience, identity: shownIdentity(client), now });
    if (isSelfDescribed(client)) await deps.store.confirmClient(client.clientId, now);
  }
  await deps.store.saveCode({
    hash,
    grantId,
    ...by,
    redirectUri,
    codeChallenge,
    scope,
    audience: request.audience,
    authTime: session.authTime,
    context: {
      ...signInContext(session, requestedLevels(request.levels, deps.config)),
      ...(nonce !== undefined && { nonce }),
      ...(dpopJkt !== undefined && { dpopJkt }),
      ...(exemption && { exemption: exemption.id }),
    },
    createdAt: now,
    expiresAt: now + LIFETIME.codeSeconds,
  });
  deps.usage?.signedIn(client, registeredEntry(client, redirectUri) ?? null);
  return respondToClient(redirectUri, request.parameters, { code, state, iss: deps.config.issuer });
}

/** The session ended while the request was answered. A grant must not outlive it. */
function signedOutMeanwhile(userId: string): OAuthError {
  return new OAuthError("access_denied", "session_ended", "the session ended while the request was answered", {
    description: "The user signed out. Start again.",
    detail: { userId },
  });
}

function pendingRequestExpired(restartable: boolean): OAuthError {
  const message = restartable
    ? "pending request expired or belongs to another session"
    : "pending request altered, sealed under another key, or pushed, so that only the client can restart it";
  return new OAuthError("invalid_request", "pending_request_expired", message, {
    status: 400,
    description:
      "This page was open too long or belongs to another session. Nothing was shared. Start again from the application.",
  });
}
