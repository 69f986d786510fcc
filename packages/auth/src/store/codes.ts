import type { Hash } from "../crypto/secret.ts";
import type { TokenContext } from "./access-tokens.ts";
import type { GrantStatus } from "./grants.ts";
import type { NewTokens } from "./refresh-families.ts";
import type { TokenUser } from "./users.ts";

/** A stored authorization code. OAuth 2.1 §4.1.2. */
export type AuthorizationCode = {
  hash: Hash;
  grantId: string;
  clientId: string;
  userId: string;
  redirectUri: string;
  /** Always S256. */
  codeChallenge: string;
  scope: string;
  /** The resources it can be exchanged for tokens of, space-separated; null for our own API. RFC 8707. */
  audience: string | null;
  /** Unix seconds of the sign-in. */
  authTime: number;
  context: TokenContext | null;
  createdAt: number;
  expiresAt: number;
  /** Set once, by {@link CodeStore.redeemCode}. */
  redeemedAt: number | null;
  /** Wrong verifiers so far; after five the code is invalid. PK-06. */
  failedAttempts: number;
};

export type CodeStore = {
  saveCode(code: Omit<AuthorizationCode, "redeemedAt" | "failedAttempts">): Promise<void>;
  findCode(hash: Hash): Promise<(AuthorizationCode & GrantStatus & { user: TokenUser }) | undefined>;
  /**
   * Spends the code and writes its tokens, both or neither. One conditional statement decides: true for exactly one of
   * any number of racing callers; the others write nothing.
   */
  redeemCode(hash: Hash, now: number, bought: NewTokens): Promise<boolean>;
  countFailedVerifier(hash: Hash): Promise<void>;
};
