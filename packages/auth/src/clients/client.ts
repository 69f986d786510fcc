import type { Hash } from "../crypto/secret.ts";
import type { GrantType } from "../grants/table.ts";
import type { ClientOptions, ClientOrigin } from "./options.ts";

export const ENVIRONMENTS = ["development", "staging", "production"] as const;
/** Where a client runs. Stamped on tokens and logs; production refuses http and loopback redirect URIs. */
export type Environment = (typeof ENVIRONMENTS)[number];

export const CLIENT_TYPES = ["web", "browser", "native", "service", "device"] as const;
/**
 * `web`: confidential, server side · `browser`: public single-page app · `native`: public desktop or mobile app ·
 * `service`: confidential, client credentials only · `device`: public, input-constrained. OAuth 2.1 §2.1, RFC 8628.
 */
export type ClientType = (typeof CLIENT_TYPES)[number];

/** One generated secret of a client; at most two are live at a time, so that rotation needs no downtime. */
export type ClientSecret = {
  id: string;
  hash: Hash;
  createdAt: number;
  /** Unix seconds; null while it does not expire. */
  expiresAt: number | null;
  /** Unix seconds; set when an admin retired it. Kept for a while so that the failure ledger can tell "rotated" from "wrong". */
  revokedAt: number | null;
};

/** A client: one application in one environment. */
export type Client = {
  clientId: string;
  applicationId: string;
  applicationName: string;
  environment: Environment;
  type: ClientType;
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  grantTypes: readonly GrantType[];
  /** Every scope this client may ask for. */
  scopes: readonly string[];
  /** First-party clients skip the consent page, unless any program could pose as them, and may ask for the console's scopes. */
  firstParty: boolean;
  /** A `service` client that may introspect tokens meant for our API. */
  resourceServer: boolean;
  enabled: boolean;
  /** How long a rotated refresh token still answers with its successor; 0 is strict. */
  refreshRetrySeconds: number;
  secrets: readonly ClientSecret[];
  /** What is set beyond the common; `{}` by default. */
  options: ClientOptions;
  origin: ClientOrigin;
};

/** Confidential clients hold a secret; public clients identify themselves by `client_id` alone. OAuth 2.1 §2.1. */
export function isConfidential(client: Pick<Client, "type">): boolean {
  return client.type === "web" || client.type === "service";
}

/** May this client be asked about without a stale answer mattering? Its identity is assured. OAuth 2.1 §7.3.1. */
export function hasAssuredIdentity(client: Pick<Client, "type" | "redirectUris">): boolean {
  return (
    isConfidential(client) ||
    (client.type !== "device" && client.redirectUris.length > 0 && client.redirectUris.every((uri) => uri.startsWith("https://")))
  );
}
