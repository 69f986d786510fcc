// Endpoints: one function per URL, `Request` in, `Response` out; what the authorization endpoint answers.

export type { AuthorizeResult } from "./authorization/response.ts";
export { MAX_QUERY_LENGTH, refuseExpiredRequest } from "./authorization/response.ts";
export { authorize, resumeAuthorization } from "./endpoints/authorize.ts";
export { deviceAuthorization } from "./endpoints/device-authorization.ts";
export { introspect } from "./endpoints/introspect.ts";
export { jwks } from "./endpoints/jwks.ts";
export { authorizationServerMetadata } from "./endpoints/metadata.ts";
export { pushedAuthorizationRequest } from "./endpoints/par.ts";
export { protectedResourceMetadata, registeredResourceMetadata } from "./endpoints/protected-resource-metadata.ts";
export { manageRegistration, register, UNCONFIRMED_CROWD } from "./endpoints/register.ts";
export { revoke } from "./endpoints/revoke.ts";
export { token } from "./endpoints/token.ts";
export { userinfo } from "./endpoints/userinfo.ts";

// What the sign-in, consent and device pages show and decide.

export { type ConsentView, decideConsent, openConsent } from "./authorization/consent.ts";
export {
  type DeviceDecision,
  type DeviceRequestView,
  decideDeviceRequest,
  findDeviceRequest,
} from "./authorization/device.ts";
export { asksForProof, describeLevelStep } from "./authorization/level-step.ts";
export type { LevelStep } from "./authorization/levels.ts";
export {
  atSignIn,
  clientIdOfRequest,
  describePendingRequest,
  describeSignInDemand,
  devicePath,
  preferLocale,
  restartPath,
  uiLocalesOf,
} from "./authorization/pending-request.ts";

// Guards: route protection in front of the handlers, access tokens at the API.

export { BEARER_HEADERS, type BearerDemand, type BearerResult, requireBearer } from "./guard/bearer.ts";
export type { Policy, SessionRequirement } from "./guard/policy.ts";

// Clients, and what they register and send: redirect URIs, keys, challenges, JWTs.

export { challengeOf } from "./authorization/pkce.ts";
export { REQUEST_URI_PREFIX } from "./authorization/pushed-request.ts";
export {
  blockKeysOf,
  CLIENT_BLOCK_KINDS,
  type ClientBlock,
  type ClientBlockKey,
  type ClientBlockKind,
  documentHostname,
} from "./clients/block.ts";
export { type Client, ENVIRONMENTS, type Environment, isConfidential } from "./clients/client.ts";
export { CLIENT_TYPES, type ClientType } from "./clients/client-type.ts";
export { refetchDocument } from "./clients/document-cache.ts";
export { readJwks } from "./clients/keys.ts";
export {
  CLIENT_METADATA,
  CLIENT_OPTIONS,
  CLIENT_ORIGINS,
  type ClientOptions,
  type ClientOrigin,
  type OptionCheck,
  type OptionsOf,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
} from "./clients/options.ts";
export { EDITOR_SCHEMES, isPrivateScheme } from "./clients/private-scheme.ts";
export { redirectHost } from "./clients/redirect-uri.ts";
export { nearestAcceptable, redirectUriExamples } from "./clients/redirect-uri-advice.ts";
export {
  compareRedirectUris,
  type OtherRegistration,
  readTestedUri,
  type TestedUri,
  URI_DIFFERENCE_KINDS,
  type UriComparison,
  type UriDifference,
  type UriDifferenceKind,
} from "./clients/redirect-uri-diff.ts";
export { checkRedirectUri, MAX_REDIRECT_URIS } from "./clients/redirect-uri-rules.ts";

// Grant types.

export {
  DEVICE_CODE_GRANT,
  defaultGrants,
  GRANT_TYPES,
  GRANTS,
  type GrantType,
  grantsForClientType,
  TOKEN_EXCHANGE_GRANT,
} from "./grants/table.ts";

// API resources and scopes.

export { describeScopes, ownApiEnvironments, resourceEnvironments } from "./resources/registry.ts";
export { isSameResource } from "./resources/resource-indicators.ts";
export { findScope, isFirstPartyKind, isScopeName, scopesOf } from "./resources/scope.ts";
export { SCOPES, type ScopeDefinition, type ScopeTable } from "./resources/scope-table.ts";

// What a host allows some requests beyond what their clients are registered for.

export { depsUnder, type Exemption, type RequestPolicy } from "./request-policy.ts";

// Tokens and lifetimes.

export { LIFETIME, LIFETIME_BOUNDS, lifetimesOf, MAX_VERIFIER_ATTEMPTS } from "./lifetimes.ts";
export { grantProblem, invalidGrant } from "./tokens/grant-status.ts";
export { subjectOf } from "./tokens/jwt-access-token.ts";
export { firstRefreshToken } from "./tokens/refresh-token.ts";

// Sessions: cookies, CSRF tokens, levels, step-up, logout.

export { sendLogoutNotice } from "./sessions/backchannel-logout.ts";
export { browserHash, csrfToken, verifyCsrf } from "./sessions/csrf.ts";
export {
  CONFIRMED_AMR,
  isUndated,
  missingLevel,
  policyLevel,
  RECOVERY_AMR,
  supportedLevels,
  UNDATED_AMR,
  withoutMarkers,
} from "./sessions/levels.ts";
export {
  askLogoutAgain,
  confirmLogout,
  type LogoutDestination,
  type LogoutStep,
  requestLogout,
} from "./sessions/logout.ts";
export {
  type ActiveSession,
  clearSessionCookie,
  cookie,
  cookiesOf,
  endSession,
  endSessionById,
  raiseSession,
  readCookie,
  readSession,
  sessionCookie,
  sessionCookieName,
  startSession,
} from "./sessions/session.ts";

// Errors, and the refusals that the failure ledger records.

export { actorOf, type RefusalActor } from "./errors/actor.ts";
export { OAuthError, type OAuthErrorCode } from "./errors/error.ts";
export { type FailureGroup, failureGroup } from "./errors/failure-group.ts";
export { REFUSAL_CAUSES, type RefusalCause, type RefusalDetail } from "./errors/refusal.ts";
export { asOAuthError, normaliseErrorId, recordRefusal, refuse } from "./errors/refuse.ts";
export { ERRORS } from "./errors/table.ts";

// Secrets, hashes, ids, seals, signing keys, and codes that people type.

export { createSeal, keyIdOf, keyIdOfSealed, type Seal, type SealKey, sealHeader } from "./crypto/seal.ts";
export {
  constantTimeEqual,
  type Hash,
  idOfHash,
  mintAccessToken,
  mintId,
  mintSecret,
  mintTimeOrdered,
  mintTimeOrderedId,
  PREFIX,
  type Random,
  sha256,
  storageHash,
  timeOfId,
  timeOrderedIdsFrom,
} from "./crypto/secret.ts";
export { secretHint } from "./crypto/secret-hint.ts";
export {
  ensureKeys,
  KEY_LIFETIME,
  maintainKeys,
  replaceKey,
  rotateKey,
  SIGNING_KEY_PURPOSE,
  signJwt,
  unreadableKeys,
} from "./crypto/signing-keys.ts";
export { plainCode } from "./typed-code.ts";

// HTTP: bodies, CORS, throttling; requests to URLs that clients name.

export { bodyRefusal, readText } from "./http/body.ts";
export { CORS, CORS_REQUEST_HEADERS, preflight } from "./http/endpoint.ts";
export { matchesTag } from "./http/published.ts";
export { createThrottle, type Throttle } from "./http/throttle.ts";
export { createOutbound, type FetchBytes, isOutboundUrl, OutboundError, type PostBytes } from "./outbound/outbound.ts";
export { createTurns } from "./outbound/turns.ts";

// What the host provides: configuration, clock, randomness, the store and its records.

export {
  type Caller,
  type Config,
  type Deps,
  QUOTAS,
  type Quota,
  REGISTRATION_POLICIES,
  type RefusalLogEntry,
} from "./deps.ts";
export type { AccessToken, NewAccessToken, TokenContext } from "./store/access-tokens.ts";
export { type ApiResource, ATTACHERS, type Attacher, STRANGER_POLICIES } from "./store/api-resources.ts";
export type { AuthorizationCode } from "./store/codes.ts";
export type { ConnectedApp, Consent } from "./store/consents.ts";
export type { DeviceApproval, DeviceCode, DeviceCodeStore } from "./store/device-codes.ts";
export type { Enrolment } from "./store/enrolment.ts";
export type { Grant, GrantStatus } from "./store/grants.ts";
export type { PushedRequest } from "./store/pushed-requests.ts";
export {
  type FoundRefreshFamily,
  NEVER_ROTATED,
  type NewRefreshFamily,
  type NewTokens,
  type RefreshFamily,
  type Rotation,
} from "./store/refresh-families.ts";
export type { Refusal, RefusalStore } from "./store/refusals.ts";
export type {
  DynamicRegistration,
  InitialAccessToken,
  NewDynamicClient,
  SelfDescribedClient,
} from "./store/registrations.ts";
export {
  type LogoutNotice,
  type NewSession,
  type Session,
  type SessionRise,
  type SessionUpstream,
  SIGN_IN_METHODS,
  type SignInMethod,
} from "./store/sessions.ts";
export type { SigningKey } from "./store/signing-keys.ts";
export type { Store } from "./store/store.ts";
export { findStoreUnavailable, StoreUnavailable } from "./store/unavailable.ts";
export { REGISTRARS, type Registrar, ROLES, type Role, type TokenUser, type User } from "./store/users.ts";
export type { SignInFactor, Usage } from "./usage.ts";

// From @gatehouse/guard, for packages that do not import it.

export {
  ACR,
  type Acr,
  type AuthenticationDemand,
  authenticationChallenge,
  createGuard,
  createRouteMatcher,
  DPOP_CHALLENGE,
  defaultDeny,
  excludeWebhooks,
  type GuardContext,
  type Guarded,
  hasSupportedLength,
  isSameOrigin,
  KEY_LENGTHS,
  levelOf,
  localPath,
  meets,
  type PublicJwk,
  pathOf,
  protectCallback,
  readJwt,
  resourceMetadataUrl,
  STATIC_ASSETS,
  scopeTokens,
  strongerOf,
  unauthenticated,
} from "@gatehouse/guard";

// From @gatehouse/runtime, for packages that do not import it.

export { cookieName } from "@gatehouse/runtime";
