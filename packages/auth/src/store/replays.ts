import type { Hash } from "../crypto/secret.ts";

export type ReplayStore = {
  /**
   * True the first time any process presents this key (a `jti` with its owner) before `expiresAt`. One conditional
   * statement.
   */
  spendOnce(key: Hash, expiresAt: number): Promise<boolean>;
};
