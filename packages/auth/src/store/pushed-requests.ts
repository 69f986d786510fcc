import type { Hash } from "../crypto/secret.ts";

/** A pushed authorization request. RFC 9126. */
export type PushedRequest = {
  hash: Hash;
  clientId: string;
  /** The request's parameters, form-encoded. */
  parameters: string;
  dpopJkt: string | null;
  expiresAt: number;
  usedAt: number | null;
  /** The exemption that it was pushed under; null for every other request. CO-38. */
  exemptionId: string | null;
};

export type PushedRequestStore = {
  savePushedRequest(request: Omit<PushedRequest, "usedAt">): Promise<void>;
  findPushedRequest(hash: Hash): Promise<PushedRequest | undefined>;
  /**
   * Spends the request by one conditional statement: true for the one authorization that completes with it. Ignores
   * `expiresAt`, which limits only when the request can be opened. PA-04.
   */
  usePushedRequest(hash: Hash, now: number): Promise<boolean>;
};
