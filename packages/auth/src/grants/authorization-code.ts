import { isVerifier, matchesChallenge } from "../authorization/pkce.ts";
import { storageHash } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { MAX_VERIFIER_ATTEMPTS } from "../lifetimes.ts";
import { exemptionOfCredential } from "../request-policy.ts";
import { availableResources } from "../resources/registry.ts";
import { resolveTokenResource } from "../resources/resource-indicators.ts";
import type { AuthorizationCode, CodeStore } from "../store/codes.ts";
import { requireBoundKey } from "../tokens/dpop.ts";
import { invalidGrant, ofUser, requireActiveGrant } from "../tokens/grant-status.ts";
import { identityOf } from "../tokens/id-token.ts";
import { mintTokens, refreshTerms } from "../tokens/issue.ts";
import type { GrantHandler } from "./grant.ts";

/** Redeems a code once, for the client it was issued to. OAuth 2.1 §4.1.3, AC-01, AC-02. */
export const authorizationCode: GrantHandler = async (form, client, deps, dpopJkt) => {
  const now = deps.now();
  const hash = storageHash(form.required("code"));
  const code = await deps.store.findCode(hash);
  if (!code) throw invalidGrant("code_unknown", "no such code");
  if (code.clientId !== client.clientId) throw invalidGrant("code_of_other_client", "another client's code");
  const found = exemptionOfCredential(code.context?.exemption, deps);
  const exemption = found && (await found); // before the grant, which the end of an exemption can revoke

  // AC-06, OAuth 2.1 §10.2: OAuth 2.0 clients still send redirect_uri; it must be that of the authorization request.
  const redirectUri = form.optional("redirect_uri") ?? code.redirectUri;
  if (redirectUri !== code.redirectUri) {
    throw invalidGrant("redirect_uri_differs", "not the redirect_uri of the authorization request", {
      sent: redirectUri.slice(0, 300),
    });
  }
  await requireVerifier(form.optional("code_verifier"), code, deps.store);
  requireBoundKey(code.context?.dpopJkt, dpopJkt);
  // AC-05, OAuth 2.1 §7.5.3: a replay is theft only if client and verifier are right, even when the code has expired.
  if (code.redeemedAt !== null) throw await replayed(code, deps);
  if (code.expiresAt <= now)
    throw invalidGrant("code_expired", "the code has expired", {
      ...ofUser(code),
      expiredBySeconds: now - code.expiresAt,
    });
  const target = resolveTokenResource(
    { ...code, resources: form.all("resource") },
    await availableResources(client, deps),
  );
  requireActiveGrant(code);

  const { grantId, userId, context } = code;
  const identity = identityOf(code.scope, code.user);
  const refresh = refreshTerms(client, code, now);
  const issue = { client, owner: { grantId, userId }, ...target, refresh, context, identity, dpopJkt, exemption };
  const { response, tokens } = await mintTokens(issue, deps);
  // False if another request redeemed the code first.
  if (!(await deps.store.redeemCode(hash, now, tokens))) throw await replayed(code, deps);
  return response;
};

/** Revokes everything issued from a code that was redeemed before. AC-04. */
async function replayed(code: AuthorizationCode, { store, now }: Pick<Deps, "store" | "now">): Promise<OAuthError> {
  await store.revokeGrant(code.grantId, "code replayed", now());
  const message = "the code was used before; everything issued from it is revoked";
  return invalidGrant("code_replayed", message, ofUser(code));
}

/**
 * PK-06: one wrong verifier does not invalidate the code, or anyone who saw it could do that; five do. A missing
 * verifier or challenge never passes (PK-03, PK-04).
 */
async function requireVerifier(verifier: string | undefined, code: AuthorizationCode, store: CodeStore): Promise<void> {
  if (code.failedAttempts >= MAX_VERIFIER_ATTEMPTS)
    throw invalidGrant("verifier_attempts_exhausted", "too many wrong verifiers", ofUser(code));
  if (verifier === undefined) throw invalidGrant("verifier_missing", "code_verifier is missing"); // CF-10
  if (!isVerifier(verifier)) {
    const description = "code_verifier must be 43 to 128 letters, digits, dots, dashes, underscores or tildes.";
    throw new OAuthError("invalid_request", "verifier_malformed", description, { description });
  }
  if (matchesChallenge(verifier, code.codeChallenge)) return;
  if (code.redeemedAt === null) await store.countFailedVerifier(code.hash);
  throw invalidGrant("verifier_wrong", "the verifier does not match the challenge", ofUser(code));
}
