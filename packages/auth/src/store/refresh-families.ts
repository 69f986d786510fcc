import type { Hash } from "../crypto/secret.ts";
import type { NewAccessToken, TokenContext } from "./access-tokens.ts";
import type { GrantStatus } from "./grants.ts";
import type { TokenUser } from "./users.ts";

/** A refresh token to write, the first of its family. OAuth 2.1 §4.3. */
export type NewRefreshFamily = {
  /** Time-ordered, and part of each token of the family. */
  id: string;
  /** Whose client and user are the family's. */
  grantId: string;
  scope: string;
  /** The resources it can be exchanged for tokens of, space-separated. */
  audience: string;
  context: TokenContext | null;
  /** The first generation that is bound to the key of `context`; null without a key. */
  boundFrom: number | null;
  createdAt: number;
  /** Idle expiry: extended by each rotation, never past `absoluteExpiresAt`. */
  expiresAt: number;
  absoluteExpiresAt: number;
  currentHash: Hash;
};

/** What a rotation writes: the successor becomes current, and the presented token previous. */
export type Rotation = Pick<NewRefreshFamily, "context" | "boundFrom" | "expiresAt"> & {
  /** The presented token, which must be current. */
  presentedHash: Hash;
  successorHash: Hash;
  rotatedAt: number;
  /** An id that the successor and the access token were derived with; null if the response is never repeated. CF-20. */
  rotationId: string | null;
  accessExpiresAt: number;
  /**
   * The response, if it has a signature and cannot be derived again; sealed under a key derived from the presented
   * token. CF-20.
   */
  sealedResponse: string | null;
};

/** All refresh tokens that came from one authorization by rotation: one is current, the others are spent. RT-10. */
export type RefreshFamily = NewRefreshFamily & {
  clientId: string;
  userId: string;
  /** How often it was rotated. */
  generation: number;
  previousHash: Hash | null;
} & { [Member in "rotatedAt" | "rotationId" | "accessExpiresAt" | "sealedResponse"]: Rotation[Member] | null };

/** What a new family has besides. */
export const NEVER_ROTATED = {
  generation: 0,
  previousHash: null,
  rotatedAt: null,
  rotationId: null,
  accessExpiresAt: null,
  sealedResponse: null,
} as const;

/** A family with the status of its grant and user. A family without its grant does not exist. */
export type FoundRefreshFamily = RefreshFamily & Omit<GrantStatus, "clientEnabled"> & { user: TokenUser };

/** The tokens of one response, written together. */
export type NewTokens = { accessToken: NewAccessToken; refreshFamily: NewRefreshFamily | undefined };

export type RefreshFamilyStore = {
  saveRefreshFamily(family: NewRefreshFamily): Promise<void>;
  findRefreshFamily(id: string): Promise<FoundRefreshFamily | undefined>;
  /**
   * Spends the current token for its successor and the access token, all or none, for one caller, as `redeemCode` does.
   */
  rotateRefreshFamily(id: string, rotation: Rotation, accessToken: NewAccessToken): Promise<boolean>;
  /**
   * Extends the idle expiry of a family that does not rotate and writes the access token, both or neither. Does nothing
   * and returns false if the presented token is no longer current.
   */
  extendRefreshFamily(
    id: string,
    use: Pick<Rotation, "presentedHash" | "expiresAt"> & { now: number },
    accessToken: NewAccessToken,
  ): Promise<boolean>;
};
