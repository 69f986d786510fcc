import type { Client, Environment } from "../clients/client.ts";
import type { Hash } from "../crypto/secret.ts";
import type { GrantStatus } from "./grants.ts";
import type { TokenUser } from "./users.ts";

/**
 * What a code or token carries besides scope and audience: when and how its user signed in, and the key it is bound to.
 * Members without a value are absent; an empty context is null.
 */
export type TokenContext = {
  /** Unix seconds of the sign-in. OpenID Connect Core §2. */
  authTime?: number;
  /** The provider did not say when the user signed in, so there is no `authTime`. UP-13. */
  undated?: true;
  /** Authentication context and methods. RFC 8176, RFC 9470. */
  acr?: string;
  amr?: string[];
  /** Public id of the session: `sid` in id and logout tokens. */
  sessionId?: string;
  /** From the authorization request, for the ID token. */
  nonce?: string;
  /** Thumbprint of the key that must prove possession. RFC 9449 §6. */
  dpopJkt?: string;
  /** Proofs for it require a server nonce. RFC 9449 §9. */
  dpopNonce?: boolean;
  /** Who acts for the subject after a token exchange. RFC 8693 §4.1. */
  actor?: { sub: string; actor?: TokenContext["actor"] };
  /** Id of the exemption that it was issued under, and ends with. CO-30, CO-38. */
  exemption?: string;
  /**
   * Hashes of the chain of tokens it was exchanged for, most recent first. It is valid only while all of them are. RFC
   * 8693 §2.1.
   */
  subjectTokens?: Hash[];
};

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
