import type { Hash } from "./secret.ts";
import { fallen } from "./standing.ts";
import type { AccessToken, AccessTokenStore, Standing } from "./store.ts";

/**
 * Does the token that this one was exchanged for still stand, and the one before it? Asks nothing about a token that was
 * not exchanged. The caller has judged the token itself. RFC 8693, TX-01.
 */
export async function subjectStands(token: Pick<AccessToken, "context">, store: AccessTokenStore, now: number): Promise<boolean> {
  let hash: Hash | undefined = token.context?.subjectToken;
  while (hash !== undefined) {
    const subject: (AccessToken & Standing) | undefined = await store.findAccessToken(hash);
    if (!subject || subject.revokedAt !== null || subject.expiresAt <= now || fallen(subject)) return false;
    hash = subject.context?.subjectToken;
  }
  return true;
}
