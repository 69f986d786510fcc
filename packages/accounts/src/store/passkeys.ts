import type { AccountRecord } from "./account-record.ts";
import type { Account } from "./accounts.ts";

/** One passkey of one user. */
export type Passkey = {
  /** Base64url, as the browser names it. */
  credentialId: string;
  userId: string;
  /** COSE_Key, RFC 9052 §7. */
  publicKey: Uint8Array;
  /** COSE algorithm, as -7. */
  algorithm: number;
  /** The highest signature counter seen; 0 for passkeys that do not count. */
  counter: number;
  transports: readonly string[];
  aaguid: string;
  name: string;
  /** Whether the provider may sync it. Never changes. */
  backupEligible: boolean;
  /** Whether it is synced now. */
  backedUp: boolean;
  /** Whether it verified its user when it was added. */
  userVerified: boolean;
  /** The RP ID that it is bound to. */
  rpId: string;
  createdAt: number;
  lastUsedAt: number | null;
};

/** The state of an account that a change was decided on. */
type DecidedOn = { signInEpoch: number };

export type PasskeyStore = {
  /** The passkey with its owner, enabled or not. */
  findPasskey(credentialId: string): Promise<{ passkey: Passkey; account: Account } | undefined>;
  /** Oldest first. */
  listPasskeys(userId: string): Promise<Passkey[]>;
  /**
   * Adds a passkey and, with the first one, the user's WebAuthn id. "stale" if the account changed since `signInEpoch`
   * was read, has another WebAuthn id, or the most passkeys already, "taken" if the credential is registered already.
   */
  addPasskey(
    passkey: Passkey,
    at: DecidedOn & { webauthnUserId: string },
    also: AccountRecord,
    now: number,
  ): Promise<"added" | "stale" | "taken">;
  /** Records a use. False if the passkey is gone, or its counter is no longer `counterBefore`. */
  usePasskey(credentialId: string, use: PasskeyUse, also: AccountRecord): Promise<boolean>;
  renamePasskey(passkey: { userId: string; credentialId: string; name: string }, also: AccountRecord): Promise<boolean>;
  /**
   * Removes a passkey; other sessions end. False, without effect, if the account changed since `signInEpoch` was read.
   */
  removePasskey(
    passkey: { userId: string; credentialId: string },
    at: DecidedOn & { sessionId: string },
    also: AccountRecord,
    now: number,
  ): Promise<boolean>;
  /** One of the RP IDs in use that is not in `known`; undefined if there is none. WA-01. */
  findOtherRpId(known: readonly string[]): Promise<string | undefined>;
};

/** A passkey for an account that does not exist yet, with the WebAuthn id that the account gets. */
export type FirstPasskey = { passkey: Omit<Passkey, "userId">; webauthnUserId: string };

export type PasskeyUse = { counterBefore: number; counter: number; backedUp: boolean; usedAt: number };
