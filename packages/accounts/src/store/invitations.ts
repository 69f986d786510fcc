import type { Hash, Role } from "@gatehouse/auth";
import type { AccountRecord } from "./account-record.ts";
import type { Maker } from "./maker.ts";

/** An invitation to an account with a role. Times are Unix seconds. */
export type Invitation = {
  id: string;
  /** As `normaliseEmail` returns it. */
  email: string;
  role: Role;
  /** SHA-256 of the link's token. */
  hash: Hash;
  /** The id of the admin, or `cli`. */
  invitedBy: string;
  createdAt: number;
  expiresAt: number;
  acceptedAt: number | null;
  withdrawnAt: number | null;
};

export type InvitationStore = {
  /**
   * Saves an invitation and withdraws the pending one of its address, in one transaction. False, without effect, if the
   * credential of `maker`, who invites, has ended.
   */
  saveInvitation(
    invitation: Omit<Invitation, "acceptedAt" | "withdrawnAt">,
    also: AccountRecord,
    maker?: Maker,
  ): Promise<boolean>;
  findInvitation(id: string): Promise<Invitation | undefined>;
  findInvitationByHash(hash: Hash): Promise<Invitation | undefined>;
  /** The pending invitation of an address, as `normaliseEmail` returns it. */
  findPendingInvitation(email: string, now: number): Promise<Invitation | undefined>;
  /** False if it is not pending. */
  withdrawInvitation(id: string, also: AccountRecord, now: number): Promise<boolean>;
};
