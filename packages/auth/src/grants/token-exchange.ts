import { isSubsetScope, scopeTokens } from "@gatehouse/guard";
import { type Client, isConfidential, isSelfDescribed } from "../clients/client.ts";
import { storageHash } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";
import type { Form } from "../http/form.ts";
import { type AvailableResources, availableResources, type Resource } from "../resources/registry.ts";
import { unknownNames } from "../resources/requested-scope.ts";
import { isSameResource, scopeForResource } from "../resources/resource-indicators.ts";
import { mayRequestScope, parseScope } from "../resources/scope.ts";
import type { AccessToken, TokenContext } from "../store/access-tokens.ts";
import { exchangeChainIsLive, extendExchangeChain } from "../tokens/exchange-chain.ts";
import { grantProblem, ofUser } from "../tokens/grant-status.ts";
import { issueTokens } from "../tokens/issue.ts";
import { subjectOf } from "../tokens/jwt-access-token.ts";
import { visibilityProblem } from "../tokens/visibility.ts";
import type { GrantHandler } from "./grant.ts";

/** The only supported token type. RFC 8693 §3. */
export const TOKEN_TYPE_URN = "urn:ietf:params:oauth:token-type:access_token";

/**
 * Exchanges a user's access token that an API received for a token of the API's own client: same resource, same scope
 * or less, no later expiry, and valid only while the first token is. An actor token says who acts for the user. RFC
 * 8693, TX-01.
 */
export const tokenExchange: GrantHandler = async (form, client, deps, dpopJkt) => {
  requireConfidential(client);
  requireTypes(form);
  const subject = await readToken("subject_token", form, client, deps);
  const { grantId, userId } = subject;
  if (grantId === null || userId === null) {
    throw badToken(
      "subject_token",
      "token_without_user",
      "a client without a user requests a token with client_credentials instead",
    );
  }
  // A bound token must not become a bearer token.
  if (subject.context?.dpopJkt !== undefined && dpopJkt === undefined) {
    throw badToken("subject_token", "dpop_missing", "a token bound to a key can only be exchanged for a bound token");
  }
  const chain = extendExchangeChain(subject);
  const actor =
    form.optional("actor_token") === undefined ? undefined : await readToken("actor_token", form, client, deps);

  const available = await availableResources(client, deps);
  const resource = sameResource([...form.all("resource"), ...form.all("audience")], subject, available);
  const held = scopeForResource(subject.scope, resource, available);
  const scope = await narrowedScope(form.optional("scope"), subject, held, client, available, deps);
  const notAfter = Math.min(subject.expiresAt, actor?.expiresAt ?? subject.expiresAt);
  const context = { ...actedFor(subject.context, actor), ...chain };
  const response = await issueTokens(
    { client, owner: { grantId, userId }, scope, resource, context, dpopJkt, notAfter },
    deps,
  );
  return { ...response, issued_token_type: TOKEN_TYPE_URN };
};

/** Only confidential clients that an admin registered, even if the grant is registered for another. */
function requireConfidential(client: Client): void {
  if (isConfidential(client) && !isSelfDescribed(client)) return;
  const description = "Only confidential clients that an administrator registered may exchange tokens.";
  throw new OAuthError("unauthorized_client", "client_grant_not_allowed", description, { description });
}

/** RFC 8693 §2.1: each token requires its type, and actor_token_type requires actor_token. */
function requireTypes(form: Form): void {
  requireType("subject_token_type", form.required("subject_token_type"));
  if (form.optional("requested_token_type") !== undefined)
    requireType("requested_token_type", form.required("requested_token_type"));
  if (form.optional("actor_token") !== undefined) requireType("actor_token_type", form.required("actor_token_type"));
  else if (form.optional("actor_token_type") !== undefined) form.required("actor_token");
}

function requireType(name: string, value: string): void {
  if (value === TOKEN_TYPE_URN) return;
  const description = `${name} must be ${TOKEN_TYPE_URN}`;
  throw new OAuthError("invalid_request", "token_type_unsupported", description, {
    description,
    detail: { sent: value.slice(0, 200) },
  });
}

/**
 * A live access token that the client may exchange: its own, or one issued for an API that it serves. RFC 8693 §2.2.2.
 */
async function readToken(
  name: "subject_token" | "actor_token",
  form: Form,
  client: Client,
  deps: Deps,
): Promise<AccessToken> {
  const now = deps.now();
  const token = await deps.store.findAccessToken(storageHash(form.required(name)));
  if (!token) throw badToken(name, "token_unknown", "no such access token");
  const hidden = visibilityProblem(token, client, deps.config);
  if (hidden === "token_of_other_client")
    throw badToken(name, hidden, "issued to another client, for an API that this client does not serve");
  // D11: tokens never cross environments, not into a more protected one either: the new token has that of this client.
  if (hidden !== undefined || token.environment !== client.environment)
    throw badToken(name, "token_of_other_environment", `issued to a ${token.environment} client`);
  if (token.revokedAt !== null) throw badToken(name, "token_revoked", "the token was revoked", ofUser(token));
  const cause = grantProblem(token);
  if (cause) throw badToken(name, cause, `the token is no longer valid: ${cause.replaceAll("_", " ")}`, ofUser(token));
  if (token.expiresAt <= now)
    throw badToken(name, "token_expired", "the token has expired", {
      ...ofUser(token),
      expiredBySeconds: now - token.expiresAt,
    });
  if (!(await exchangeChainIsLive(token, deps.store, now)))
    throw badToken(name, "token_revoked", "the token it was exchanged for is no longer valid");
  return token;
}

/**
 * The resource of the subject token. Throws `invalid_target` when another is requested or the client may not have it.
 */
function sameResource(named: readonly string[], { audience }: AccessToken, available: AvailableResources): Resource {
  const resource = available.resources.find(({ id }) => id === audience);
  if (resource && named.every((sent) => isSameResource(sent, resource.id))) return resource;
  const cause = available.denied.find(({ resource: { id } }) => id === audience)?.cause ?? "resource_unknown";
  throw new OAuthError(
    "invalid_target",
    cause,
    "not the resource of the subject token, or not available to this client",
    {
      description:
        "A token can only be exchanged for one of the same resource, and the client must be registered for it.",
      detail: { audience, named: named.join(" ").slice(0, 200) },
    },
  );
}

/** The part of the held scope that the client may have, or the requested part of that, without `offline_access`. */
async function narrowedScope(
  asked: string | undefined,
  subject: AccessToken,
  held: string,
  client: Client,
  available: AvailableResources,
  deps: Deps,
): Promise<string> {
  const allowed = scopeTokens(held).filter(
    (name) => name !== "offline_access" && mayRequestScope(client, name, available),
  );
  const named = parseScope(asked ?? "");
  if (named?.length === 0) return allowed.join(" ");
  const wanted = named?.filter((name) => name !== "offline_access") ?? [];
  const unknown = await unknownNames(wanted, available, deps);
  const kept = wanted.filter((name) => !unknown.includes(name));
  // AZ-16: what exists nowhere is left out, unless nothing is left.
  const isNothing = kept.length === 0 && unknown.length > 0;
  if (named && !isNothing && isSubsetScope(kept.join(" "), allowed.join(" "))) return kept.join(" ");
  throw new OAuthError(
    "invalid_scope",
    "scope_exceeds_grant",
    "more than the subject token holds or the client may have, or malformed",
    {
      description: "Request no more than the subject token holds and this client is registered for.",
      detail: { asked: asked?.slice(0, 300) ?? null, held: subject.scope },
    },
  );
}

/** Keeps how the user signed in; a new actor goes in front of earlier ones. RFC 8693 §4.1. */
function actedFor(context: TokenContext | null, actor: AccessToken | undefined): TokenContext {
  const { authTime, undated, acr, amr, sessionId, actor: earlier } = context ?? {};
  const acting = actor ? { sub: subjectOf(actor), ...(earlier && { actor: earlier }) } : earlier;
  return {
    ...(authTime !== undefined && { authTime }),
    ...(undated && { undated }),
    ...(acr !== undefined && { acr }),
    ...(amr !== undefined && { amr }),
    ...(sessionId !== undefined && { sessionId }),
    ...(acting && { actor: acting }),
  };
}

function badToken(name: string, cause: RefusalCause, message: string, detail: RefusalDetail = {}): OAuthError {
  const description = `The ${name} is unknown, expired, revoked or not allowed for this client.`;
  return new OAuthError("invalid_request", cause, message, { description, detail });
}
