import type { Hash } from "../crypto/secret.ts";
import type { GrantType } from "../grants/table.ts";
import type { ClientType } from "./client-type.ts";
import type { ClientOptions, ClientOrigin } from "./options.ts";

/** Every {@link Environment}, from the least to the most protected. */
export const ENVIRONMENTS = ["development", "staging", "production"] as const;
/**
 * Where a client runs. Recorded in tokens and logs; production clients cannot register http or loopback redirect URIs.
 */
export type Environment = (typeof ENVIRONMENTS)[number];

/** A generated secret of a client. At most two are live at a time, so that a secret can be rotated without downtime. */
export type ClientSecret = {
  id: string;
  hash: Hash;
  createdAt: number;
  /** Unix seconds; null for never. */
  expiresAt: number | null;
  /**
   * Unix seconds at which an admin retired it. The row stays for a while so that the failure ledger can tell "retired"
   * from "wrong".
   */
  revokedAt: number | null;
};

/** One application in one environment. */
export type Client = {
  clientId: string;
  applicationId: string;
  applicationName: string;
  environment: Environment;
  type: ClientType;
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  grantTypes: readonly GrantType[];
  /** Every scope this client may request. */
  scopes: readonly string[];
  /**
   * A first-party client skips the consent page if its identity is assured, and may request account and console scopes.
   */
  firstParty: boolean;
  /** A `service` client that may introspect tokens issued for our API. */
  resourceServer: boolean;
  enabled: boolean;
  /**
   * Differs after it was deleted and restored, and after a restore of a backup. Access tokens of another epoch are
   * dead.
   */
  accessEpoch: number;
  /** For how long a rotated refresh token still returns its successor, in seconds; 0 for never. */
  refreshRetrySeconds: number;
  secrets: readonly ClientSecret[];
  /** Optional settings; `{}` by default. */
  options: ClientOptions;
  origin: ClientOrigin;
  /** An admin approved this self-described client as it is now. CO-61. */
  approved?: boolean;
  /** The host may accept redirect URIs for it that are not registered, see `RequestPolicy`. */
  hasExemptions?: boolean;
};

/** Did no admin register this client? It was registered dynamically or is described by its metadata document. */
export function isSelfDescribed(client: Pick<Client, "origin">): boolean {
  return client.origin !== "registered";
}

/**
 * Confidential clients hold a secret; public clients identify themselves by `client_id` alone. OAuth 2.1 §2.1, CA-11.
 */
export function isConfidential(client: Pick<Client, "type">): boolean {
  return client.type === "web" || client.type === "service";
}

/** Can earlier consent be reused? Only if nobody can impersonate the client. OAuth 2.1 §7.3.1. */
export function hasAssuredIdentity(client: Pick<Client, "type" | "redirectUris">): boolean {
  return (
    isConfidential(client) ||
    (client.type !== "device" &&
      client.redirectUris.length > 0 &&
      client.redirectUris.every((uri) => uri.startsWith("https://")))
  );
}
