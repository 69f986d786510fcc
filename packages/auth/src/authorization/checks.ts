import type { Client } from "../clients/client.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause } from "../errors/refusal.ts";
import type { Reach } from "../resources/registry.ts";
import {
  type Access,
  bindAccess,
  keptAudience,
  refuseWithheld,
  scopeCause,
  withheldBehind,
  withheldSentence,
} from "../resources/resource.ts";
import { resolveScope, type ScopeProblem } from "../resources/scope.ts";
import { requireKnownContext } from "../sessions/step-up.ts";
import { isThumbprint } from "../tokens/dpop.ts";
import type { AuthorizationParameters } from "./parameters.ts";
import { isChallenge } from "./pkce.ts";
import type { Target } from "./target.ts";

export const PROMPTS = ["none", "login", "consent", "select_account"] as const;
type Prompt = (typeof PROMPTS)[number];

/** An authorization request that may be put to the user. */
export type AuthorizationRequest = Target & {
  parameters: AuthorizationParameters;
  scope: string;
  /** The resources asked for, as a code keeps them. RFC 8707. */
  audience: string | null;
  codeChallenge: string;
  prompts: ReadonlySet<Prompt>;
  maxAgeSeconds: number | undefined;
  loginHint: string | undefined;
  /** The key that has to be proven where the code is traded. RFC 9449 §10. */
  dpopJkt: string | undefined;
};

/** Checks all that is left once the target is proven, in this order (AZ-38). Throws what is told to the client by redirect. */
export function checkRequest(parameters: AuthorizationParameters, target: Target): AuthorizationRequest {
  refuseRequestObjects(parameters);
  refuseRepeated(parameters);
  requirePushed(parameters, target.client);
  requireCodeResponse(parameters);
  requireQueryMode(parameters);
  requireGrant(target.client);
  const codeChallenge = requireChallenge(parameters);
  const { scope, audience } = requireAccess(parameters, target);
  const prompts = readPrompts(parameters);
  requireKnownContext(parameters.values.claims);
  return {
    ...target,
    parameters,
    scope,
    audience: keptAudience(audience, target.reach),
    codeChallenge,
    prompts,
    maxAgeSeconds: readMaxAge(parameters),
    loginHint: parameters.values.login_hint,
    dpopJkt: readThumbprint(parameters),
  };
}

/** AZ-27: request objects are not supported, and never silently ignored. OpenID Connect Core §3.1.2.6. */
function refuseRequestObjects({ values, repeated }: AuthorizationParameters): void {
  const sent = (name: "request" | "request_uri") => values[name] !== undefined || repeated.includes(name);
  if (sent("request")) throw refusal("request_not_supported", "request_object_unsupported", "request objects are not supported");
  if (sent("request_uri")) throw refusal("request_uri_not_supported", "request_object_unsupported", "request_uri is not supported");
}

function refuseRepeated({ repeated }: AuthorizationParameters): void {
  if (repeated.length > 0) throw refusal("invalid_request", "parameter_repeated", `sent more than once: ${repeated.join(", ")}`);
}

/** RFC 9126 §6: a client that pushes its requests is not to be spoken for in a link. PA-05. */
function requirePushed({ pushed }: AuthorizationParameters, { options }: Client): void {
  if (pushed !== undefined || !options.requirePushedRequests) return;
  throw refusal("invalid_request", "request_not_pushed", "this client has to push its authorization requests");
}

/** OAuth 2.1 §4.1.1, §10.1: there is one response type; the implicit and hybrid ones are gone. */
function requireCodeResponse({ values }: AuthorizationParameters): void {
  if (values.response_type === undefined)
    throw refusal("invalid_request", "parameter_missing", "response_type is missing; it must be code");
  if (values.response_type !== "code") {
    throw refusal("unsupported_response_type", "response_type_unsupported", "response_type must be code");
  }
}

/** AZ-21: a code never travels in a fragment. */
function requireQueryMode({ values }: AuthorizationParameters): void {
  if (values.response_mode === undefined || values.response_mode === "query") return;
  throw refusal("invalid_request", "response_mode_unsupported", "response_mode must be query or left out");
}

function requireGrant(client: Client): void {
  if (client.grantTypes.includes("authorization_code")) return;
  throw refusal("unauthorized_client", "client_grant_not_allowed", "this client is not registered for the grant authorization_code");
}

/** AZ-11 … AZ-13: PKCE with S256, for every client. */
function requireChallenge({ values }: AuthorizationParameters): string {
  const { code_challenge: challenge, code_challenge_method: method } = values;
  if (challenge === undefined) {
    throw refusal("invalid_request", "pkce_missing", "code_challenge is missing; PKCE with S256 is required");
  }
  if (method !== "S256") {
    throw refusal("invalid_request", "pkce_method_unsupported", "code_challenge_method must be S256");
  }
  if (!isChallenge(challenge)) {
    throw refusal(
      "invalid_request",
      "pkce_challenge_malformed",
      "code_challenge must be the 43 base64url characters of a SHA-256, without padding",
    );
  }
  return challenge;
}

function requireAccess({ values, resources }: AuthorizationParameters, { client, reach }: Target): Access {
  refuseWithheld(resources, reach);
  const resolved = resolveScope(values.scope, client, reach);
  if (!resolved.ok) throw refusal("invalid_scope", scopeCause(resolved.problem, reach), scopeSentence(resolved.problem, reach));
  return bindAccess({ scope: resolved.scope, explicit: values.scope !== undefined, resources }, reach);
}

function scopeSentence({ cause, token }: ScopeProblem, reach: Reach): string {
  if (cause === "scope_malformed") return "scope must be names split by single spaces, without quotes or backslashes";
  const name = token?.slice(0, 100);
  const withheld = withheldBehind(token, reach);
  if (withheld) return `${withheldSentence(withheld)}, so the scope ${name} is not available`;
  return cause === "scope_unknown" ? `there is no scope ${name}` : `this client is not registered for the scope ${name}`;
}

/** AZ-26, honoured with and without `openid`. */
function readPrompts({ values }: AuthorizationParameters): ReadonlySet<Prompt> {
  const prompts = new Set<Prompt>();
  for (const value of values.prompt?.split(" ") ?? []) {
    const known = PROMPTS.find((prompt) => prompt === value);
    if (!known) throw refusal("invalid_request", "prompt_invalid", `prompt takes ${PROMPTS.join(", ")}`);
    prompts.add(known);
  }
  if (prompts.has("none") && prompts.size > 1) throw refusal("invalid_request", "prompt_invalid", "prompt none stands alone");
  return prompts;
}

function readMaxAge({ values }: AuthorizationParameters): number | undefined {
  if (values.max_age === undefined) return undefined;
  if (!/^\d{1,9}$/.test(values.max_age))
    throw refusal("invalid_request", "parameter_malformed", "max_age must be a whole number of seconds");
  return Number(values.max_age);
}

function readThumbprint({ values: { dpop_jkt: jkt } }: AuthorizationParameters): string | undefined {
  if (jkt === undefined || isThumbprint(jkt)) return jkt;
  throw refusal("invalid_request", "parameter_malformed", "dpop_jkt must be the 43 base64url characters of a SHA-256 thumbprint");
}

/** These sentences hold nothing secret and only ASCII without quotes (AZ-25), so the client's developer may read them too. */
function refusal(code: OAuthError["code"], cause: RefusalCause, sentence: string): OAuthError {
  return new OAuthError(code, cause, sentence, { description: sentence });
}
