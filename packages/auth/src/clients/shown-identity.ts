import { type Hash, sha256 } from "../crypto/secret.ts";
import { type Client, isSelfDescribed } from "./client.ts";

type Shown = Pick<Client, "applicationName" | "environment" | "origin" | "redirectUris" | "options">;

/**
 * A hash of what people are told a client is: its name and links, and for a client that no admin registered also its
 * redirect URIs and keys, which are all that tells it from another. Consent is for this, and ends when it changes.
 * CI-06, AZ-32.
 */
export function shownIdentity(client: Shown): Hash {
  const { applicationName, environment, redirectUris, options } = client;
  const { clientUri, logoUri, policyUri, tosUri, authentication, jwks, jwksUri } = options;
  const shown = [applicationName, environment, clientUri, logoUri, policyUri, tosUri];
  const proof = isSelfDescribed(client) ? [[...redirectUris].sort(), authentication, jwks, jwksUri] : [];
  return sha256(JSON.stringify([shown, proof]));
}
