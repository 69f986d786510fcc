import type { AccountRecord } from "./account-record.ts";
import type { NewAccount } from "./accounts.ts";

/** What never changes about an account at a provider. UP-06. */
export type IdentityKey = { provider: string; issuer: string; subject: string };

/** An account at a provider that belongs to a user. Times are Unix seconds. */
export type Identity = IdentityKey & {
  id: string;
  userId: string;
  /** As the provider last sent it; for lists only. */
  email: string | null;
  createdAt: number;
  lastUsedAt: number | null;
};

/** An identity to connect, with the user's sign-in epoch when that was decided, and what tells the user. */
export type IdentityConnection = { identity: Identity; signInEpoch: number; also: AccountRecord };

export type IdentityStore = {
  findIdentity(key: IdentityKey): Promise<Identity | undefined>;
  /** Oldest first. */
  listIdentities(userId: string): Promise<Identity[]>;
  /**
   * Connects an identity. "taken" if it belongs to an account already, "stale" if the user's `signInEpoch` has changed.
   */
  insertIdentity(
    identity: Identity,
    at: { signInEpoch: number },
    also: AccountRecord,
  ): Promise<"connected" | "taken" | "stale">;
  /** Adds an account with its first identity. False, without effect, if the address or the identity is taken. */
  insertAccountWithIdentity(account: NewAccount, identity: Identity, also: AccountRecord): Promise<boolean>;
  /**
   * Connects an identity that proves the account's address, and marks the address as proved. With `empties`, everything
   * else goes from the account first, unless its owner was verified a moment ago (RG-05). False, without effect, if the
   * account has another address or is disabled, or the identity belongs to an account already.
   */
  claimWithIdentity(
    claim: { identity: Identity; email: string; empties: boolean },
    also: AccountRecord,
    now: number,
  ): Promise<boolean>;
  /** Records a sign-in. False if the identity is gone. */
  touchIdentity(id: string, seen: { email: string | null; lastUsedAt: number }): Promise<boolean>;
  /**
   * Disconnects an identity, and ends the user's other sessions and unfinished sign-ins. `keep`: public id of the
   * session that continues. False, without effect, if the user has no such identity or their `signInEpoch` has changed.
   */
  deleteIdentity(
    removal: { userId: string; id: string; signInEpoch: number; keep: string },
    also: AccountRecord,
    now: number,
  ): Promise<boolean>;
};
