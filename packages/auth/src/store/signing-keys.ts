import type { PublicJwk } from "@gatehouse/guard";
import type { SigningAlgorithm } from "../clients/options.ts";

/**
 * A signing key. It is published before it signs and after, so that a cached JWKS always has the key of a live token.
 */
export type SigningKey = {
  kid: string;
  algorithm: SigningAlgorithm;
  publicJwk: PublicJwk;
  /** The private JWK, sealed. */
  sealedPrivateJwk: string;
  createdAt: number;
  /** Unix seconds from which it signs. */
  activeFrom: number;
  /** Unix seconds from which it no longer signs; null while it is the current or the next key. */
  retiredAt: number | null;
  /** Unix seconds after which it leaves the JWKS: the last token it signed has expired. */
  removeAfter: number | null;
};

export type SigningKeyStore = {
  listSigningKeys(): Promise<SigningKey[]>;
  /**
   * False when another process has saved a key for this algorithm with the same `activeFrom`. Keys in `withdrawn` leave
   * the JWKS at the time the new one was created, retired or not, in the same transaction.
   */
  saveSigningKey(key: SigningKey, withdrawn?: readonly string[]): Promise<boolean>;
  retireSigningKey(kid: string, at: { retiredAt: number; removeAfter: number }): Promise<void>;
};
