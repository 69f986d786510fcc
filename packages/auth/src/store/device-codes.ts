import type { Hash } from "../crypto/secret.ts";
import type { TokenContext } from "./access-tokens.ts";
import type { GrantStatus } from "./grants.ts";
import type { TokenUser } from "./users.ts";

/** A stored device code: pending until approved or denied. RFC 8628. */
export type DeviceCode = {
  hash: Hash;
  /** Eight letters of the reduced alphabet, without the dash; unique among live codes. RFC 8628 §6.1. */
  userCode: string;
  clientId: string;
  scope: string;
  /** As in an authorization code. */
  audience: string | null;
  /**
   * Address and user agent of the requesting device. The page says what they are, never the user agent's own words. RFC
   * 8628 §5.4.
   */
  requestedAddress: string | null;
  requestedUserAgent: string | null;
  intervalSeconds: number;
  lastPolledAt: number | null;
  createdAt: number;
  expiresAt: number;
  approvedAt: number | null;
  deniedAt: number | null;
  redeemedAt: number | null;
  /** All three are set on approval; the context says how and when the user signed in. */
  userId: string | null;
  grantId: string | null;
  context: TokenContext | null;
  /** The exemption that it was requested under; null for every other device. CO-38. */
  exemptionId: string | null;
};

/** Who approved a device, and the grant that it gets. */
export type DeviceApproval = { userId: string; grantId: string; context: TokenContext };

/** Device codes. Decisions and redemption are conditional statements. */
export type DeviceCodeStore = {
  /** False when a live code has the same user code: generate another. */
  saveDeviceCode(
    code: Pick<
      DeviceCode,
      | "hash"
      | "userCode"
      | "clientId"
      | "scope"
      | "audience"
      | "requestedAddress"
      | "requestedUserAgent"
      | "intervalSeconds"
      | "createdAt"
      | "expiresAt"
      | "exemptionId"
    >,
  ): Promise<boolean>;
  findDeviceCode(hash: Hash): Promise<(DeviceCode & GrantStatus & { user: TokenUser }) | undefined>;
  /** The undecided, unexpired code with this user code. */
  findPendingDeviceCode(userCode: string, now: number): Promise<DeviceCode | undefined>;
  /**
   * Records a poll. False when it came before `lastPolledAt + intervalSeconds`; the interval then grows by
   * `penaltySeconds`.
   */
  pollDeviceCode(hash: Hash, now: number, penaltySeconds: number): Promise<boolean>;
  /** Approves an undecided, unexpired code; false when another decision came first. */
  approveDeviceCode(hash: Hash, by: DeviceApproval, now: number): Promise<boolean>;
  denyDeviceCode(hash: Hash, now: number): Promise<boolean>;
  /** Spends an approved code by one conditional statement: true for exactly one poll. */
  redeemDeviceCode(hash: Hash, now: number): Promise<boolean>;
};
