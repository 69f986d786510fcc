import { createHmac } from "node:crypto";
import type { Client } from "../client.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../error.ts";
import { requireOurResource } from "../resource.ts";
import { isSubsetScope, mayHoldScope, resolveScope, scopeTokens } from "../scope.ts";
import { type Seal, sealUnder } from "../seal.ts";
import { type Random, sha256 } from "../secret.ts";
import { invalidGrant, requireStanding } from "../standing.ts";
import type { RefreshToken } from "../store.ts";
import { mintTokens, type TokenResponse } from "../tokens.ts";
import type { TokenGrant } from "./grant.ts";

const PURPOSE = "refresh response";

/** One refresh token, rotated once: every use answers with a new access token and a successor. OAuth 2.1 §4.3. */
export const refreshToken: TokenGrant = async (form, client, deps) => {
  const now = deps.now();
  const presented = form.required("refresh_token");
  const hash = sha256(presented);
  const token = await deps.store.findRefreshToken(hash);
  if (!token) throw invalidGrant("refresh_token_unknown", "no such refresh token");
  if (token.clientId !== client.clientId) throw invalidGrant("refresh_token_of_other_client", "another client's refresh token");
  requireStanding(token);
  const end = Math.min(token.expiresAt, token.absoluteExpiresAt);
  if (end <= now) throw invalidGrant("refresh_token_expired", "the refresh token has expired", { expiredBySeconds: now - end });

  const scope = narrowedScope(form.optional("scope"), token, client);
  requireOurResource(form.all("resource"), deps.config);
  const seal = responseSeal(presented, deps.random);
  if (token.rotatedAt !== null) return repeatOrRevoke(token, scope, seal, client, deps);

  const { grantId, userId, absoluteExpiresAt } = token;
  const issue = { client, owner: { grantId, userId }, scope, refresh: { scope: token.scope, absoluteExpiresAt } };
  const { response, tokens } = mintTokens(issue, deps);
  const successorHash = tokens.refreshToken?.hash;
  if (successorHash === undefined) throw new Error("a rotation without a successor");
  const sealedResponse = client.refreshRetrySeconds > 0 ? seal.seal(PURPOSE, JSON.stringify(response)) : "";
  if (await deps.store.rotateRefreshToken(hash, { rotatedAt: now, successorHash, sealedResponse }, tokens)) return response;

  const spent = await deps.store.findRefreshToken(hash);
  if (!spent) throw invalidGrant("refresh_token_unknown", "the refresh token is gone");
  return repeatOrRevoke(spent, scope, seal, client, deps);
};

/** CF-20: the answer is kept under a key that only the presented token yields, so the store never holds it in clear. */
function responseSeal(presented: string, random: Random): Seal {
  return sealUnder(createHmac("sha256", presented).update(PURPOSE).digest(), random);
}

/** The access token's scope: all of the refresh token's that the client may still hold, or the part asked for, in the order granted. RT-04. */
function narrowedScope(asked: string | undefined, token: RefreshToken, client: Client): string {
  const held = scopeTokens(token.scope).filter((name) => mayHoldScope(client, name));
  if (asked === undefined) return held.join(" ");
  // Clients repeat here what they sent to /authorize, also the standard names that were dropped there. CF-13.
  const wanted = resolveScope(asked, { ...client, scopes: scopeTokens(token.scope) });
  if (wanted.ok && isSubsetScope(wanted.scope, token.scope)) {
    const names = new Set(scopeTokens(wanted.scope));
    return held.filter((name) => names.has(name)).join(" ");
  }
  throw new OAuthError("invalid_scope", "scope_exceeds_grant", "more than was granted, or malformed", {
    description: "Ask for no more than was granted.",
    detail: { asked: asked.slice(0, 300), granted: token.scope },
  });
}

/**
 * A spent token, presented again by its own client. Inside the retry window, for the same scope and while the successor
 * is unused, it is a lost answer and gets the same one; anything else is reuse and ends the grant. CF-20, RT-03.
 */
async function repeatOrRevoke(spent: RefreshToken, scope: string, seal: Seal, client: Client, deps: Deps): Promise<TokenResponse> {
  const now = deps.now();
  const repeated = now < (spent.rotatedAt ?? now) + client.refreshRetrySeconds ? await sameResponse(spent, scope, seal, deps) : undefined;
  if (repeated) return repeated;

  await deps.store.revokeGrant(spent.grantId, "refresh token reused", now);
  throw invalidGrant("refresh_token_reused", "the refresh token was rotated before; everything issued from its grant is revoked", {
    rotatedSecondsAgo: now - (spent.rotatedAt ?? now),
  });
}

async function sameResponse(spent: RefreshToken, scope: string, seal: Seal, deps: Deps): Promise<TokenResponse | undefined> {
  const successor = spent.successorHash && (await deps.store.findRefreshToken(spent.successorHash));
  if (!successor || successor.rotatedAt !== null) return undefined;
  const opened = seal.open(PURPOSE, spent.sealedResponse ?? "");
  if (opened === undefined) return undefined;
  const response: TokenResponse = JSON.parse(opened);
  return (response.scope ?? "") === scope ? response : undefined;
}
