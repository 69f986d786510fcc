import { hasSupportedLength, isConfidential, isOutboundUrl, KEY_LENGTHS, readJwks } from "@gatehouse/auth";
import type { Problem } from "../domain-error.ts";
import type { ClientDraft } from "./rules.ts";

/** A client that authenticates with keys registers its public keys, in exactly one way. RFC 7523, RFC 7591 §2; JA-01, DC-05. */
export function keyProblems({ type, environment, options = {} }: ClientDraft): Problem[] {
  const { authentication, assertionAlgorithm, jwks, jwksUri } = options;
  const problems: Problem[] = [];
  if (authentication === "private_key_jwt") {
    if (!isConfidential({ type }))
      problems.push({ path: "options.authentication", message: `a ${type} client is public and cannot keep a private key` });
    if (!jwks && jwksUri === undefined)
      problems.push({ path: "options.jwks", message: "private_key_jwt requires the client's public keys in jwks or jwks_uri" });
  } else if (assertionAlgorithm !== undefined) {
    problems.push({ path: "options.assertionAlgorithm", message: "only a client with private_key_jwt signs assertions" });
  }
  if (jwks && jwksUri !== undefined) problems.push({ path: "options.jwksUri", message: "set jwks or jwks_uri, not both" });
  const keys = jwks && readJwks(jwks);
  if (jwks && !keys) problems.push({ path: "options.jwks", message: "must contain public keys only, no private or symmetric keys" });
  if (keys && !keys.every(hasSupportedLength)) problems.push({ path: "options.jwks", message: KEY_LENGTHS });
  const allowLoopback = environment === "development";
  if (jwksUri !== undefined && !isOutboundUrl(jwksUri, { allowLoopback }))
    problems.push({ path: "options.jwksUri", message: `must be an https URL${allowLoopback ? ", or http on this machine" : ""}` });
  return problems;
}
