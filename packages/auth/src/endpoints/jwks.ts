import { SIGNING_ALGORITHMS } from "../clients/options.ts";
import { ensureKeys, publicKeys } from "../crypto/signing-keys.ts";
import type { Deps } from "../deps.ts";
import { publishedDocumentFrom } from "../http/published.ts";

/** GET /.well-known/jwks.json: the public keys that verify our tokens. RFC 7517 §5, MD-07. */
export const jwks = publishedDocumentFrom("/.well-known/jwks.json", findKeys, (keys) => ({ keys }));

/** Has keys of every algorithm, even on the first request: caches would not have one that is added later. */
async function findKeys(deps: Deps) {
  const keys = await publicKeys(deps);
  if (SIGNING_ALGORITHMS.every((algorithm) => keys.some(({ alg }) => alg === algorithm))) return keys;
  await ensureKeys(SIGNING_ALGORITHMS, deps);
  return publicKeys(deps);
}
