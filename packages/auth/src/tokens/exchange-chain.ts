import { OAuthError } from "../errors/error.ts";
import type { AccessToken, AccessTokenStore, TokenContext } from "../store/access-tokens.ts";
import { grantProblem } from "./grant-status.ts";

/** The maximum length of a chain of exchanges. */
const MAX_EXCHANGES = 5;

/**
 * Are all tokens that this one was exchanged for still valid? One query for all of them, none for a token that was not
 * exchanged. Does not check the token itself. RFC 8693, TX-01.
 */
export async function exchangeChainIsLive(
  { context }: Pick<AccessToken, "context">,
  store: AccessTokenStore,
  now: number,
): Promise<boolean> {
  const hashes = context?.subjectTokens ?? [];
  if (hashes.length === 0) return true;
  const subjects = await store.findAccessTokens(hashes);
  return (
    subjects.length === hashes.length &&
    subjects.every((subject) => subject.revokedAt === null && subject.expiresAt > now && !grantProblem(subject))
  );
}

/** The chain of a token exchanged for this one, most recent first. Throws `invalid_grant` when it would be too long. */
export function extendExchangeChain({
  hash,
  context,
}: Pick<AccessToken, "hash" | "context">): Required<Pick<TokenContext, "subjectTokens">> {
  const earlier = context?.subjectTokens ?? [];
  if (earlier.length >= MAX_EXCHANGES) {
    const description = `A token can be exchanged ${MAX_EXCHANGES} times in a row. Exchange an earlier token of the chain.`;
    throw new OAuthError("invalid_grant", "exchange_chain_too_long", description, { description });
  }
  return { subjectTokens: [hash, ...earlier] };
}
