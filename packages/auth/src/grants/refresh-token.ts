import { createHmac } from "node:crypto";
import { type Client, isConfidential } from "../clients/client.ts";
import { type Seal, sealUnder } from "../crypto/seal.ts";
import { type Random, storageHash } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { Form } from "../http/form.ts";
import { lifetimesOf } from "../lifetimes.ts";
import { previewEnd } from "../preview-slots/preview-slot.ts";
import { type AvailableResources, availableResources } from "../resources/registry.ts";
import { requestedScope, type ScopeAsked } from "../resources/requested-scope.ts";
import { deniedOwnerOf, resolveTokenResource } from "../resources/resource-indicators.ts";
import { isSubsetScope, mayHoldScope, scopeTokens } from "../resources/scope.ts";
import type { RefreshToken } from "../store/refresh-tokens.ts";
import { requireSameRun } from "../test-runs/test-run.ts";
import { requireBoundKey } from "../tokens/dpop.ts";
import { invalidGrant, requireActiveGrant } from "../tokens/grant-status.ts";
import { identityOf } from "../tokens/id-token.ts";
import { issueTokens, mintTokens, type TokenResponse } from "../tokens/issue.ts";
import type { GrantHandler } from "./grant.ts";

const PURPOSE = "refresh response";

/** What a refresh requests: scope and resource of the access token, and the key to bind it to. */
type Asked = { scope: string; resource: string; dpopJkt: string | undefined };

/** Rotates a refresh token once: each use returns a new access token and a successor. OAuth 2.1 §4.3, RT-01, RT-02, RT-06, MC-06. */
export const refreshToken: GrantHandler = async (form, client, deps, dpopJkt) => {
  const now = deps.now();
  const presented = form.required("refresh_token");
  const hash = storageHash(presented);
  const token = await deps.store.findRefreshToken(hash);
  if (!token) throw invalidGrant("refresh_token_unknown", "no such refresh token");
  if (token.clientId !== client.clientId) throw invalidGrant("refresh_token_of_other_client", "another client's refresh token");
  requireSameRun(token.context?.testRun, deps);
  const previewEndsAt = await previewEnd(token.context, deps); // before the grant, which the end of the slot revokes
  requireActiveGrant(token);
  // RT-03: reuse of a rotated token counts even after its idle expiry, because its successors may be live.
  const end = token.rotatedAt === null ? Math.min(token.expiresAt, token.absoluteExpiresAt) : token.absoluteExpiresAt;
  if (end <= now) throw invalidGrant("refresh_token_expired", "the refresh token has expired", { expiredBySeconds: now - end });

  requireBoundKey(token.context?.dpopJkt, dpopJkt); // RT-09: before the reuse check, so that a thief without the key cannot revoke the grant

  const available = await availableResources(client, deps);
  const seal = responseSeal(presented, deps.random);
  if (token.rotatedAt !== null)
    return repeatOrRevoke(token, await askedAgain(form, token, available, client, dpopJkt, deps), seal, client, deps);
  const { narrowed, resource, scope } = await readAsked(form, token, available, client, deps);
  const asked = { scope, resource: resource.id, dpopJkt };

  const { grantId, userId, absoluteExpiresAt, context } = token;
  const identity = identityOf(narrowed, token.user);
  const issue = { client, owner: { grantId, userId }, scope, resource, context, identity, dpopJkt, previewEndsAt };
  if (keepsRefreshTokens(client)) {
    const latest = previewEndsAt ?? absoluteExpiresAt;
    const expiresAt = Math.min(now + lifetimesOf(client).refreshIdleSeconds, absoluteExpiresAt, latest);
    await deps.store.extendRefreshToken(hash, expiresAt);
    return issueTokens(issue, deps);
  }

  const refresh = { scope: token.scope, audience: token.audience, absoluteExpiresAt };
  const { response, tokens } = await mintTokens({ ...issue, refresh }, deps);
  const successorHash = tokens.refreshToken?.hash;
  if (successorHash === undefined) throw new Error("a rotation without a successor");
  const sealedResponse =
    client.refreshRetrySeconds > 0 ? seal.seal(PURPOSE, JSON.stringify([response, asked.resource, dpopJkt ?? null])) : "";
  if (await deps.store.rotateRefreshToken(hash, { rotatedAt: now, successorHash, sealedResponse }, tokens)) return response;

  const spent = await deps.store.findRefreshToken(hash);
  if (!spent) throw invalidGrant("refresh_token_unknown", "the refresh token is gone");
  return repeatOrRevoke(spent, asked, seal, client, deps);
};

/** Reads the scope and the resource of the access token. Throws `invalid_scope` and `invalid_target`. RT-04, RT-06. */
async function readAsked(form: Form, token: RefreshToken, available: AvailableResources, client: Client, deps: Deps) {
  // userDecides: the user did, since nothing is added to what was granted.
  const asked = { scope: form.optional("scope"), resources: form.all("resource"), userDecides: true };
  const { scope: narrowed, explicit } = await narrowedScope(asked, token, available, client, deps);
  const target = resolveTokenResource({ resources: asked.resources, audience: token.audience, scope: narrowed, explicit }, available);
  return { narrowed, ...target };
}

/** What a rotated token is presented for; undefined if it could never have been granted. That is reuse like any other. RT-03. */
async function askedAgain(
  form: Form,
  token: RefreshToken,
  available: AvailableResources,
  client: Client,
  dpopJkt: string | undefined,
  deps: Deps,
): Promise<Asked | undefined> {
  try {
    const { scope, resource } = await readAsked(form, token, available, client, deps);
    return { scope, resource: resource.id, dpopJkt };
  } catch (thrown) {
    if (thrown instanceof OAuthError) return undefined;
    throw thrown;
  }
}

/** Only a confidential client can keep its refresh token: a stolen one is worthless without the client's credentials. CF-11, CF-24. */
function keepsRefreshTokens(client: Client): boolean {
  return client.options.rotateRefreshTokens === false && isConfidential(client);
}

/** CF-20: the response is sealed under a key derived from the presented token, so the store never holds it in clear. */
function responseSeal(presented: string, random: Random): Seal {
  return sealUnder(createHmac("sha256", presented).update(PURPOSE).digest(), random);
}

/** The access token's scope: what the client may still hold of the refresh token's scope, or the requested part of it. RT-04. */
async function narrowedScope(
  asked: ScopeAsked,
  token: RefreshToken,
  available: AvailableResources,
  client: Client,
  deps: Deps,
): Promise<{ scope: string; explicit: boolean }> {
  const held = scopeTokens(token.scope).filter((name) => mayHoldScope(client, name, available));
  if (scopeTokens(asked.scope ?? "").length === 0) return { scope: held.join(" "), explicit: false };
  // Clients repeat the scope they sent to /authorize, with the names that were left out there. CF-13.
  const wanted = await requestedScope(asked, { ...client, scopes: scopeTokens(token.scope) }, available, deps);
  if (wanted.ok && isSubsetScope(wanted.scope, token.scope)) {
    const names = new Set(scopeTokens(wanted.scope));
    return { scope: held.filter((name) => names.has(name)).join(" "), explicit: true };
  }
  const denied = wanted.ok ? undefined : deniedOwnerOf(wanted.problem.token, available);
  throw new OAuthError("invalid_scope", denied?.cause ?? "scope_exceeds_grant", "more than was granted or is available now, or malformed", {
    description: "Request no more than was granted.",
    detail: { asked: asked.scope?.slice(0, 300) ?? null, granted: token.scope },
  });
}

/**
 * Handles a rotated token that its client presents again. Within the retry window, with the same scope, resource and key and an
 * unused successor, the response was lost and is repeated. Anything else is reuse and revokes the grant. CF-20, RT-03.
 */
async function repeatOrRevoke(
  spent: RefreshToken,
  asked: Asked | undefined,
  seal: Seal,
  client: Client,
  deps: Deps,
): Promise<TokenResponse> {
  const now = deps.now();
  const inTime = now < (spent.rotatedAt ?? now) + client.refreshRetrySeconds;
  const repeated = inTime && asked ? await sameResponse(spent, asked, seal, deps) : undefined;
  if (repeated) return repeated;

  await deps.store.revokeGrant(spent.grantId, "refresh token reused", now);
  throw invalidGrant("refresh_token_reused", "the refresh token was rotated before; everything issued from its grant is revoked", {
    rotatedSecondsAgo: now - (spent.rotatedAt ?? now),
  });
}

async function sameResponse(spent: RefreshToken, asked: Asked, seal: Seal, deps: Deps): Promise<TokenResponse | undefined> {
  const successor = spent.successorHash && (await deps.store.findRefreshToken(spent.successorHash));
  if (!successor || successor.rotatedAt !== null) return undefined;
  const opened = seal.open(PURPOSE, spent.sealedResponse ?? "");
  if (opened === undefined) return undefined;
  const [response, resource, jkt]: [TokenResponse, string, string | null] = JSON.parse(opened); // sealed by us, so it has this shape
  const same = (response.scope ?? "") === asked.scope && resource === asked.resource && jkt === (asked.dpopJkt ?? null);
  return same ? response : undefined;
}
