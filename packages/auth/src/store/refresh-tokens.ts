import type { Hash } from "../crypto/secret.ts";
import type { TokenContext } from "../tokens/context.ts";
import type { NewAccessToken } from "./access-tokens.ts";
import type { GrantStatus } from "./grants.ts";
import type { TokenUser } from "./users.ts";

/** A stored refresh token. It is spent by rotation. OAuth 2.1 §4.3. */
export type RefreshToken = {
  hash: Hash;
  grantId: string;
  clientId: string;
  userId: string;
  scope: string;
  /** The resources it can be exchanged for tokens of, space-separated. */
  audience: string;
  context: TokenContext | null;
  createdAt: number;
  /** Idle expiry: extended by each rotation, never past `absoluteExpiresAt`. */
  expiresAt: number;
  absoluteExpiresAt: number;
  rotatedAt: number | null;
  successorHash: Hash | null;
  /** The response given at rotation, sealed under a key derived from the presented token. CF-20. */
  sealedResponse: string | null;
};

/** A refresh token to write. */
export type NewRefreshToken = Omit<RefreshToken, "rotatedAt" | "successorHash" | "sealedResponse">;

/** The tokens of one response, written together. */
export type NewTokens = { accessToken: NewAccessToken; refreshToken: NewRefreshToken | undefined };

/** What a rotation records in the spent token. */
export type Rotation = { rotatedAt: number; successorHash: Hash; sealedResponse: string };

export type RefreshTokenStore = {
  saveRefreshToken(token: NewRefreshToken): Promise<void>;
  findRefreshToken(hash: Hash): Promise<(RefreshToken & GrantStatus & { user: TokenUser }) | undefined>;
  /** Spends the token and writes its successors, both or neither, for one caller, as `redeemCode` does. */
  rotateRefreshToken(hash: Hash, rotation: Rotation, bought: NewTokens): Promise<boolean>;
  /** Extends the idle expiry of a token that is not rotated on use. Does nothing to one that was rotated meanwhile. */
  extendRefreshToken(hash: Hash, expiresAt: number): Promise<void>;
};
