import { isSubsetScope, scopeTokens } from "@gatehouse/guard";
import { type Client, isConfidential } from "../clients/client.ts";
import { mintRotationId } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { Form } from "../http/form.ts";
import { lifetimesOf } from "../lifetimes.ts";
import { exemptionOfCredential } from "../request-policy.ts";
import { type AvailableResources, availableResources } from "../resources/registry.ts";
import { requestedScope, type ScopeAsked } from "../resources/requested-scope.ts";
import { deniedOwnerOf, resolveTokenResource } from "../resources/resource-indicators.ts";
import { mayRequestScope } from "../resources/scope.ts";
import type { RefreshFamily } from "../store/refresh-families.ts";
import { requireBoundKey } from "../tokens/dpop.ts";
import { invalidGrant, ofUser, requireActiveGrant } from "../tokens/grant-status.ts";
import { identityOf } from "../tokens/id-token.ts";
import { type Issue, mintTokens, refreshTokenContext, type TokenResponse, tokenResponse } from "../tokens/issue.ts";
import { type Asked, type FoundToken, findRefreshToken, findSuccessor, successorOf } from "../tokens/refresh-token.ts";
import type { GrantHandler } from "./grant.ts";

/**
 * Rotates a refresh token once: each use returns a new access token and a successor. OAuth 2.1 §4.3, RT-01, RT-02,
 * RT-06, MC-06.
 */
export const refreshToken: GrantHandler = async (form, client, deps, dpopJkt) => {
  const now = deps.now();
  const presented = form.required("refresh_token");
  const found = await requireToken(presented, deps);
  const { token, family, state } = found;
  if (family.clientId !== client.clientId)
    throw invalidGrant("refresh_token_of_other_client", "another client's refresh token");
  const exempt = exemptionOfCredential(family.context?.exemption, deps);
  const exemption = exempt && (await exempt); // before the grant, which the end of an exemption can revoke
  requireActiveGrant({ ...family, clientEnabled: client.enabled });
  // RT-03: reuse of a spent token counts even after its idle expiry, because its successors may be live.
  const end = state === "current" ? Math.min(family.expiresAt, family.absoluteExpiresAt) : family.absoluteExpiresAt;
  if (end <= now) throw expired(family, now - end);

  // RT-09: before the reuse check, so that a thief without the key cannot revoke the grant. A token from before the key
  // needs none.
  const isBound = state === "current" || (family.boundFrom !== null && token.generation >= family.boundFrom);
  requireBoundKey(isBound ? family.context?.dpopJkt : undefined, dpopJkt);

  const available = await availableResources(client, deps);
  if (state !== "current")
    return repeatOrRevoke(found, await askedAgain(form, family, available, client, dpopJkt, deps), client, deps);
  const { narrowed, resource, scope } = await readAsked(form, family, available, client, deps);
  const asked = { scope, resource: resource.id, dpopJkt };

  const { grantId, userId, context, absoluteExpiresAt } = family;
  const identity = identityOf(narrowed, family.user);
  const issue = { client, owner: { grantId, userId }, scope, resource, context, identity, dpopJkt, exemption };
  const latest = Math.min(absoluteExpiresAt, exemption?.endsAt ?? absoluteExpiresAt);
  const expiresAt = Math.min(now + lifetimesOf(client).refreshIdleSeconds, latest);
  const use = keepsRefreshTokens(client) ? keep : rotate;
  const response = await use({ found, issue, asked, expiresAt }, deps);
  if (response) return response;

  const again = await requireToken(presented, deps); // another request was first
  if (again.state === "current") throw expired(again.family, 0);
  return repeatOrRevoke(again, asked, client, deps);
};

async function requireToken(presented: string, deps: Deps): Promise<FoundToken> {
  const found = await findRefreshToken(presented, deps);
  if (!found) throw invalidGrant("refresh_token_unknown", "no such refresh token");
  return found;
}

function expired(family: FoundToken["family"], expiredBySeconds: number): OAuthError {
  const detail = { ...ofUser(family), expiredBySeconds };
  return invalidGrant("refresh_token_expired", "the refresh token has expired", detail);
}

type Use = { found: FoundToken; issue: Issue; asked: Asked; expiresAt: number };

/** Spends the token for its successor. Undefined if another request was first. */
async function rotate({ found, issue, asked, expiresAt }: Use, deps: Deps): Promise<TokenResponse | undefined> {
  const { token, family } = found;
  const { client, resource, dpopJkt } = issue;
  const derive = (accessExpiresAt: number) =>
    successorOf(token, mintRotationId(accessExpiresAt, deps.random), asked, deps.seal);
  const { response, tokens, successor } = await mintTokens({ ...issue, derive }, deps);
  if (!successor) throw new Error("a rotation without a successor");
  const isRepeatable = client.refreshRetrySeconds > 0;
  // A retry cannot derive a signature again, so a signed response is stored.
  const isSigned = response.id_token !== undefined || resource?.tokenFormat === "jwt";
  const context = refreshTokenContext(family.context, dpopJkt, client);
  const rotation = {
    presentedHash: token.hash,
    successorHash: successor.refreshToken.hash,
    context,
    boundFrom: boundFrom(context?.dpopJkt, family),
    rotatedAt: tokens.accessToken.issuedAt,
    expiresAt,
    rotationId: isRepeatable ? successor.rotationId : null,
    accessExpiresAt: tokens.accessToken.expiresAt,
    sealedResponse: isRepeatable && isSigned ? successor.seal(JSON.stringify(response), deps.random) : null,
  };
  return (await deps.store.rotateRefreshFamily(family.id, rotation, tokens.accessToken)) ? response : undefined;
}

function boundFrom(dpopJkt: string | undefined, family: RefreshFamily): number | null {
  if (dpopJkt === undefined) return null;
  return family.context?.dpopJkt === dpopJkt ? family.boundFrom : family.generation + 1;
}

/** Uses a token that stays. Undefined if another request has rotated it, under earlier settings of the client. */
async function keep({ found, issue, expiresAt }: Use, deps: Deps): Promise<TokenResponse | undefined> {
  const { token, family } = found;
  const { response, tokens } = await mintTokens(issue, deps);
  const use = { presentedHash: token.hash, now: deps.now(), expiresAt };
  return (await deps.store.extendRefreshFamily(family.id, use, tokens.accessToken)) ? response : undefined;
}

/** Reads the scope and the resource of the access token. Throws `invalid_scope` and `invalid_target`. RT-04, RT-06. */
async function readAsked(form: Form, family: RefreshFamily, available: AvailableResources, client: Client, deps: Deps) {
  // userDecides: the user did, since nothing is added to what was granted.
  const asked = { scope: form.optional("scope"), resources: form.all("resource"), userDecides: true };
  const { scope: narrowed, explicit } = await narrowedScope(asked, family, available, client, deps);
  const target = resolveTokenResource(
    { resources: asked.resources, audience: family.audience, scope: narrowed, explicit },
    available,
  );
  return { narrowed, ...target };
}

/**
 * What a rotated token is presented for; undefined if it could never have been granted. That is reuse like any other.
 * RT-03.
 */
async function askedAgain(
  form: Form,
  family: RefreshFamily,
  available: AvailableResources,
  client: Client,
  dpopJkt: string | undefined,
  deps: Deps,
): Promise<Asked | undefined> {
  try {
    const { scope, resource } = await readAsked(form, family, available, client, deps);
    return { scope, resource: resource.id, dpopJkt };
  } catch (thrown) {
    if (thrown instanceof OAuthError) return undefined;
    throw thrown;
  }
}

/**
 * Handles a spent token that its client presents again. Within the retry window, with the same scope, resource and key
 * and an unused successor, the response was lost and is repeated. Anything else is reuse and revokes the grant. CF-20,
 * RT-03.
 */
async function repeatOrRevoke(
  found: FoundToken,
  asked: Asked | undefined,
  client: Client,
  deps: Deps,
): Promise<TokenResponse> {
  const now = deps.now();
  const { family, token } = found;
  const rotatedAt = family.rotatedAt ?? now;
  const repeated =
    asked && now < rotatedAt + client.refreshRetrySeconds ? repeatedResponse(found, asked, deps) : undefined;
  if (repeated) {
    deps.usage?.refreshRepeated?.();
    return repeated;
  }

  await deps.store.revokeGrant(family.grantId, "refresh token reused", now);
  throw invalidGrant(
    "refresh_token_reused",
    "the refresh token was rotated before; everything issued from its grant is revoked",
    {
      ...ofUser(family),
      rotatedSecondsAgo: now - rotatedAt,
      rotationsSince: family.generation - token.generation,
    },
  );
}

/**
 * The response of the last rotation: sealed if it has a signature, otherwise derived. Undefined if another token or
 * request led to it.
 */
function repeatedResponse({ family, token, state }: FoundToken, asked: Asked, deps: Deps): TokenResponse | undefined {
  const { rotatedAt, rotationId, accessExpiresAt, sealedResponse } = family;
  if (state !== "previous" || rotatedAt === null || rotationId === null || accessExpiresAt === null) return undefined;
  const derived = findSuccessor(token, { rotationId, successorHash: family.currentHash }, asked, deps.seal);
  if (!derived) return undefined;
  if (sealedResponse !== null) {
    const opened = derived.open(sealedResponse, deps.random);
    return opened === undefined ? undefined : JSON.parse(opened); // sealed by us, so it has this shape
  }
  const secrets = { accessToken: derived.accessToken.secret, refreshToken: derived.refreshToken.secret };
  return tokenResponse({
    ...secrets,
    scope: asked.scope,
    dpopJkt: asked.dpopJkt,
    expiresIn: accessExpiresAt - rotatedAt,
  });
}

/**
 * Only a confidential client can keep its refresh token: a stolen one is worthless without the client's credentials.
 * CF-11, CF-24.
 */
function keepsRefreshTokens(client: Client): boolean {
  return client.options.rotateRefreshTokens === false && isConfidential(client);
}

/**
 * The access token's scope: what the client may still request of the refresh token's scope, or the requested part of
 * it. RT-04.
 */
async function narrowedScope(
  asked: ScopeAsked,
  family: RefreshFamily,
  available: AvailableResources,
  client: Client,
  deps: Deps,
): Promise<{ scope: string; explicit: boolean }> {
  const held = scopeTokens(family.scope).filter((name) => mayRequestScope(client, name, available));
  if (scopeTokens(asked.scope ?? "").length === 0) return { scope: held.join(" "), explicit: false };
  // Clients repeat the scope they sent to /authorize, with the names that were left out there. CF-13.
  const wanted = await requestedScope(asked, { ...client, scopes: scopeTokens(family.scope) }, available, deps);
  if (wanted.ok && isSubsetScope(wanted.scope, family.scope)) {
    const names = new Set(scopeTokens(wanted.scope));
    return { scope: held.filter((name) => names.has(name)).join(" "), explicit: true };
  }
  const denied = wanted.ok ? undefined : deniedOwnerOf(wanted.problem.token, available);
  throw new OAuthError(
    "invalid_scope",
    denied?.cause ?? "scope_exceeds_grant",
    "more than was granted or is available now, or malformed",
    {
      description: "Request no more than was granted.",
      detail: { asked: asked.scope?.slice(0, 300) ?? null, granted: family.scope },
    },
  );
}
