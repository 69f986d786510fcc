import { SIGNING_ALGORITHMS } from "../clients/options.ts";
import { ensureKeys, publicKeys } from "../crypto/signing-keys.ts";
import type { Deps } from "../deps.ts";
import { publishedDocumentFrom } from "../http/published.ts";

/** GET /.well-known/jwks.json: the public keys that our tokens are verified with. RFC 7517 §5, MD-07. */
export const jwks = publishedDocumentFrom("/.well-known/jwks.json", findKeys, (keys) => ({ keys }));

/** Keys of every algorithm, also on the very first question: one that comes later would be unknown to whoever cached this. */
async function findKeys(deps: Deps) {
  const keys = await publicKeys(deps);
  if (SIGNING_ALGORITHMS.every((algorithm) => keys.some(({ alg }) => alg === algorithm))) return keys;
  await ensureKeys(SIGNING_ALGORITHMS, deps);
  return publicKeys(deps);
}
