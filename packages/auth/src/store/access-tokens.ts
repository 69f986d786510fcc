import type { Client, Environment } from "../clients/client.ts";
import type { Hash } from "../crypto/secret.ts";
import type { TokenContext } from "../tokens/context.ts";
import type { GrantStatus } from "./grants.ts";
import type { TokenUser } from "./users.ts";

/** A stored access token. It is valid while it is not revoked or expired and its grant status is active. */
export type AccessToken = {
  hash: Hash;
  /** Public id of the token (`jti`). That of an opaque one is `idOfHash(hash)`. */
  id: string;
  /** null when no grant ends it. */
  grantId: string | null;
  clientId: string;
  /** The client's {@link Client.accessEpoch} when it was issued. */
  clientEpoch: number;
  /** null when the client acts for itself. */
  userId: string | null;
  scope: string;
  /** The resource it is meant for. RFC 8707. */
  audience: string;
  context: TokenContext | null;
  environment: Environment;
  issuedAt: number;
  expiresAt: number;
  /** 0 when it is of an earlier epoch of its client. */
  revokedAt: number | null;
};

/** An access token to write. */
export type NewAccessToken = Omit<AccessToken, "revokedAt">;

export type AccessTokenStore = {
  saveAccessToken(token: NewAccessToken): Promise<void>;
  findAccessToken(hash: Hash): Promise<(AccessToken & GrantStatus & { user: TokenUser }) | undefined>;
  /** The tokens that exist among a few hashes, in any order. */
  findAccessTokens(hashes: readonly Hash[]): Promise<(AccessToken & GrantStatus)[]>;
  revokeAccessToken(hash: Hash, now: number): Promise<void>;
};
