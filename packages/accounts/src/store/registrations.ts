import type { Hash, Role } from "@gatehouse/auth";
import type { AccountRecord } from "./account-record.ts";
import type { NewAccount } from "./accounts.ts";
import type { Identity } from "./identities.ts";
import type { NewMailedToken } from "./mailed-tokens.ts";
import type { FirstPasskey } from "./passkeys.ts";

/** What proves that a person receives mail at an address; spent by the write that relies on it. */
export type AddressSpend = { kind: "mailed_token" | "invitation"; hash: Hash };

/**
 * The new owner of an address. `id` and `createdAt` count only if there is no account yet. `identity` and `passkey`:
 * the account at a provider, or the passkey, to begin with; it gets the user's id.
 */
export type AddressClaim = Omit<NewAccount, "emailVerifiedAt"> & {
  role: Role;
  identity?: Omit<Identity, "userId"> | undefined;
  passkey?: FirstPasskey | undefined;
};

/** `passkey`: to begin with; it gets the user's id. */
export type UnverifiedAccount = NewAccount & { passkey?: FirstPasskey | undefined };

export type AddressProof = {
  userId: string;
  email: string;
  /** Removes all that was in the account, if it has no verified owner. RG-05. */
  empties: boolean;
  /** A mailed token to spend. */
  token?: Hash | undefined;
  /** The new password of an account that was emptied. */
  passwordHash?: string | undefined;
};

/** Each method is one transaction with `also`, and afterwards tells the clients of the sessions that it ended. */
export type RegistrationStore = {
  /**
   * Adds an account whose address is not proved. False if the address is taken, its former owner can still restore it,
   * or somebody has the passkey already.
   */
  insertUnverifiedAccount(account: UnverifiedAccount, also: AccountRecord): Promise<boolean>;
  /**
   * Spends a proof and gives the address to its owner: adds an account, or empties the one without a verified owner and
   * takes it over (RG-05). `spent` if the proof has ended, `taken` if the account has a verified owner, or the identity
   * or the passkey belongs to somebody already.
   */
  claimAddress(
    claim: AddressClaim,
    spend: AddressSpend,
    also: (userId: string) => AccountRecord,
    now: number,
  ): Promise<{ userId: string } | "spent" | "taken">;
  /**
   * Marks the address of an account as proved. False if the account's address has changed, is proved already, or the
   * token is dead.
   */
  proveAddress(proof: AddressProof, also: AccountRecord, now: number): Promise<boolean>;
};

export type AddressChange = {
  userId: string;
  from: string;
  to: string;
  /** The token that proves `to`. */
  token: Hash;
  /** Public id of the session that continues. */
  sessionId: string;
  /** The token with which the owner of `from` can undo it. Omitted where the account had no verified owner. */
  undo?: NewMailedToken | undefined;
};

export type AddressUndo = {
  userId: string;
  /** The address to restore. */
  to: string;
  token: Hash;
  /** Factors added since this time are removed. Unix seconds. */
  changedAt: number;
  /** The token of the reset that follows. It is saved with the sign-in epoch after the undo. */
  reset: NewMailedToken;
};

/** Each method is one transaction with `also`, and afterwards tells the clients of the sessions that it ended. */
export type AddressChangeStore = {
  /** Saves the token of a change, and voids the account's earlier ones. EA-02. */
  saveAddressChange(token: NewMailedToken, also: AccountRecord): Promise<void>;
  /** Switches to the new address, which is proved, and ends the other sessions. `stale` if the token is dead. EA-03. */
  changeAddress(change: AddressChange, also: AccountRecord, now: number): Promise<"changed" | "stale" | "taken">;
  /**
   * Restores the earlier address, whatever the current one is, even if the account is to be deleted; ends all access,
   * removes the password and the factors added since, and deletes an account that took the address without a verified
   * owner. `stale` if the token is dead, `taken` if somebody else has proved the address. EA-03.
   */
  undoAddressChange(undo: AddressUndo, also: AccountRecord, now: number): Promise<"undone" | "stale" | "taken">;
};

/** Each method is one transaction with `also`, and afterwards tells the clients of the sessions that it ended. */
export type DeletionStore = {
  /**
   * Ends all access and marks the account for deletion. False for the last admin, and for an account that is marked
   * already. RG-10.
   */
  requestDeletion(
    request: { userId: string; deleteAfter: number; by?: "its user" | "an operator" },
    also: AccountRecord,
    now: number,
  ): Promise<boolean>;
  /** Deletes an account whose grace period has ended. */
  deleteAccount(userId: string, now: number): Promise<void>;
  /** Cancels a pending deletion. False if the account is no longer scheduled for this time. */
  restoreAccount(restore: { userId: string; deleteAfter: number }, also: AccountRecord): Promise<boolean>;
};
