import { OAuthError } from "../errors/error.ts";
import type { AccessToken, AccessTokenStore } from "../store/access-tokens.ts";
import type { TokenContext } from "./context.ts";
import { grantProblem } from "./grant-status.ts";

/** How often a token may be exchanged for the next one. */
const MOST_LINKS = 5;

/**
 * Do all tokens that led to this one by exchange still stand? One query, however many there are, and none for a token that was not
 * exchanged. The caller has judged the token itself. RFC 8693, TX-01.
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

/** What a token exchanged for this one hangs on, the nearest first. Throws `invalid_grant` when the chain is at its longest. */
export function extendExchangeChain({
  hash,
  context,
}: Pick<AccessToken, "hash" | "context">): Required<Pick<TokenContext, "subjectTokens">> {
  const earlier = context?.subjectTokens ?? [];
  if (earlier.length >= MOST_LINKS) {
    const description = `A token can be exchanged ${MOST_LINKS} times in a row. Exchange one that is nearer to the user.`;
    throw new OAuthError("invalid_grant", "exchange_chain_too_long", description, { description });
  }
  return { subjectTokens: [hash, ...earlier] };
}
