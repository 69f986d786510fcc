import { scopeTokens } from "@gatehouse/guard";
import type { Client } from "../clients/client.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause } from "../errors/refusal.ts";
import type { AvailableResources, RegistryDeps } from "../resources/registry.ts";
import { requestedScope } from "../resources/requested-scope.ts";
import {
  bindScopeToResources,
  denialDescription,
  deniedOwnerOf,
  rejectDeniedResources,
  type ScopeAndAudience,
  scopeCause,
  storedAudience,
} from "../resources/resource-indicators.ts";
import { commonTokens, type ScopeProblem } from "../resources/scope.ts";
import { isThumbprint } from "../tokens/dpop.ts";
import { acceptsForms, RESPONSE_MODES } from "./client-response.ts";
import { type LevelDemand, readLevels } from "./levels.ts";
import type { AuthorizationParameters } from "./parameters.ts";
import type { ConsentOffer } from "./pending-request.ts";
import { isChallenge } from "./pkce.ts";
import type { RedirectTarget } from "./target.ts";

export const PROMPTS = ["none", "login", "consent", "select_account", "create"] as const;
type Prompt = (typeof PROMPTS)[number];

/** A valid authorization request. */
export type AuthorizationRequest = RedirectTarget & {
  parameters: AuthorizationParameters;
  scope: string;
  /** Requested names that are not part of the scope: they exist nowhere here. CF-13. */
  leftOut: readonly string[];
  /** The requested resources, as stored with the code. RFC 8707. */
  audience: string | null;
  codeChallenge: string;
  prompts: ReadonlySet<Prompt>;
  maxAgeSeconds: number | undefined;
  levels: LevelDemand;
  loginHint: string | undefined;
  /** Thumbprint of the key that must be proven to redeem the code. RFC 9449 §10. */
  dpopJkt: string | undefined;
};

/**
 * Checks everything else once client and redirect URI are proven, in this order (AZ-38). Throws errors to redirect to
 * the client. `offer`: what the consent page shows, if it is open; the request is never for more, even if the client
 * may now request more.
 */
export async function checkRequest(
  parameters: AuthorizationParameters,
  target: RedirectTarget,
  deps: RegistryDeps,
  offer?: Pick<ConsentOffer, "scope" | "audience">,
): Promise<AuthorizationRequest> {
  refuseRequestObjects(parameters);
  refuseRepeated(parameters);
  requirePushed(parameters, target.client);
  requireCodeResponse(parameters);
  requireResponseMode(parameters, target.redirectUri);
  requireGrant(target.client);
  const codeChallenge = requireChallenge(parameters);
  const { scope, audience, leftOut } = await requireScope(parameters, target, deps, offer);
  const prompts = readPrompts(parameters);
  const levels = readLevels(parameters, target.client, deps.config);
  return {
    ...target,
    parameters,
    scope,
    leftOut,
    audience: storedAudience(audience, target.available),
    codeChallenge,
    prompts,
    maxAgeSeconds: readMaxAge(parameters) ?? target.client.options.defaultMaxAge,
    levels,
    loginHint: parameters.values.login_hint,
    dpopJkt: readThumbprint(parameters),
  };
}

/** AZ-27: request objects are not supported, and must not be ignored silently. OpenID Connect Core §3.1.2.6. */
function refuseRequestObjects({ values, repeated }: AuthorizationParameters): void {
  const sent = (name: "request" | "request_uri") => values[name] !== undefined || repeated.includes(name);
  if (sent("request"))
    throw requestError("request_not_supported", "request_object_unsupported", "request objects are not supported");
  if (sent("request_uri"))
    throw requestError("request_uri_not_supported", "request_object_unsupported", "request_uri is not supported");
}

/** AZ-04: `resource` alone may be repeated. */
function refuseRepeated({ repeated }: AuthorizationParameters): void {
  if (repeated.length > 0)
    throw requestError("invalid_request", "parameter_repeated", `sent more than once: ${repeated.join(", ")}`);
}

/** RFC 9126 §6: a client that must push its requests cannot use plain ones. PA-05. */
function requirePushed({ pushed }: AuthorizationParameters, { options }: Client): void {
  if (pushed !== undefined || !options.requirePushedRequests) return;
  throw requestError("invalid_request", "request_not_pushed", "this client must push its authorization requests");
}

/** OAuth 2.1 §4.1.1, §10.1: the only response type is code. AZ-10, BB-01. */
function requireCodeResponse({ values }: AuthorizationParameters): void {
  if (values.response_type === undefined)
    throw requestError("invalid_request", "parameter_missing", "response_type is missing; it must be code");
  if (values.response_type !== "code") {
    throw requestError("unsupported_response_type", "response_type_unsupported", "response_type must be code");
  }
}

/** AZ-21: codes are never sent in a fragment. */
function requireResponseMode(
  { values: { response_mode: mode = "query" } }: AuthorizationParameters,
  redirectUri: string,
): void {
  if (!RESPONSE_MODES.some((known) => known === mode)) {
    throw requestError(
      "invalid_request",
      "response_mode_unsupported",
      "response_mode must be query, form_post or left out",
    );
  }
  if (mode === "form_post" && !acceptsForms(redirectUri)) {
    throw requestError(
      "invalid_request",
      "response_mode_unsupported",
      "response_mode form_post needs an http or https redirect_uri",
    );
  }
}

/** AZ-24: the client has no such grant. */
function requireGrant(client: Client): void {
  if (client.grantTypes.includes("authorization_code")) return;
  throw requestError(
    "unauthorized_client",
    "client_grant_not_allowed",
    "this client is not registered for the grant authorization_code",
  );
}

/** AZ-11 … AZ-13: PKCE with S256, for every client. No request is compared with earlier ones (AZ-37). */
function requireChallenge({ values }: AuthorizationParameters): string {
  const { code_challenge: challenge, code_challenge_method: method } = values;
  if (challenge === undefined) {
    throw requestError("invalid_request", "pkce_missing", "code_challenge is missing; PKCE with S256 is required");
  }
  if (method !== "S256") {
    throw requestError("invalid_request", "pkce_method_unsupported", "code_challenge_method must be S256");
  }
  if (!isChallenge(challenge)) {
    throw requestError(
      "invalid_request",
      "pkce_challenge_malformed",
      "code_challenge must be the 43 base64url characters of a SHA-256, without padding",
    );
  }
  return challenge;
}

async function requireScope(
  { values, resources }: AuthorizationParameters,
  { client, available }: RedirectTarget,
  deps: RegistryDeps,
  offer: Pick<ConsentOffer, "scope" | "audience"> | undefined,
): Promise<ScopeAndAudience & { leftOut: readonly string[] }> {
  rejectDeniedResources(resources, available);
  const resolved = await requestedScope({ scope: values.scope, resources, userDecides: true }, client, available, deps);
  if (!resolved.ok)
    throw requestError(
      "invalid_scope",
      scopeCause(resolved.problem, available),
      scopeSentence(resolved.problem, available),
    );
  const scope = offer ? commonTokens(resolved.scope, offer.scope) : resolved.scope;
  const bound = bindScopeToResources({ scope, explicit: resolved.explicit, resources }, available);
  return { ...(offer ? withinOffer(bound, offer, available) : bound), leftOut: resolved.leftOut };
}

/**
 * AZ-31, AZ-33: never more than the page shows. What is left is refused when it is nothing, since that was not what the
 * user read.
 */
function withinOffer(
  bound: ScopeAndAudience,
  offer: Pick<ConsentOffer, "scope" | "audience">,
  available: AvailableResources,
): ScopeAndAudience {
  const offered = offer.audience?.split(" ") ?? available.resources.slice(0, 1).map(({ id }) => id);
  const audience = bound.audience.filter((id) => offered.includes(id));
  if (audience.length > 0 && (bound.scope !== "" || offer.scope === "")) return { scope: bound.scope, audience };
  throw requestError(
    "invalid_scope",
    "scope_not_allowed",
    "the client may no longer request what the user was asked for",
  );
}

function scopeSentence({ cause, token }: ScopeProblem, available: AvailableResources): string {
  if (cause === "scope_malformed") return "scope must be names separated by spaces, without quotes or backslashes";
  const name = token?.slice(0, 100);
  const denied = deniedOwnerOf(token, available);
  if (denied) return `${denialDescription(denied)}, so the scope ${name} is not available`;
  return cause === "scope_unknown"
    ? `there is no scope ${name}`
    : `this client is not registered for the scope ${name}`;
}

/** AZ-26: with and without the scope `openid`. */
function readPrompts({ values }: AuthorizationParameters): ReadonlySet<Prompt> {
  const prompts = new Set<Prompt>();
  for (const value of scopeTokens(values.prompt ?? "")) {
    const known = PROMPTS.find((prompt) => prompt === value);
    if (!known) throw requestError("invalid_request", "prompt_invalid", `prompt must be ${PROMPTS.join(", ")}`);
    prompts.add(known);
  }
  if (prompts.has("none") && prompts.size > 1)
    throw requestError("invalid_request", "prompt_invalid", "prompt none cannot be combined with other values");
  return prompts;
}

function readMaxAge({ values }: AuthorizationParameters): number | undefined {
  if (values.max_age === undefined) return undefined;
  if (!/^\d{1,9}$/.test(values.max_age))
    throw requestError("invalid_request", "parameter_malformed", "max_age must be a whole number of seconds");
  return Number(values.max_age);
}

function readThumbprint({ values: { dpop_jkt: jkt } }: AuthorizationParameters): string | undefined {
  if (jkt === undefined || isThumbprint(jkt)) return jkt;
  throw requestError(
    "invalid_request",
    "parameter_malformed",
    "dpop_jkt must be the 43 base64url characters of a SHA-256 thumbprint",
  );
}

/** The sentence is both message and description: it holds no secret, and only ASCII without quotes (AZ-25). */
function requestError(code: OAuthError["code"], cause: RefusalCause, sentence: string): OAuthError {
  return new OAuthError(code, cause, sentence, { description: sentence });
}
