import type { Hash } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import type { Account } from "../store/accounts.ts";
import type { CompleteSignIn } from "./sign-in.ts";

const PURPOSE = "restore account";
const TICKET_SECONDS = 600;

/** A sign-in that passed the gate, for which the account has to be restored first. RG-10. */
export type RestoreTicket = {
  userId: string;
  deleteAfter: number;
  signInEpoch: number;
  browser: Hash | null;
  issuedAt: number;
  signIn: CompleteSignIn;
};

/** For the page that follows a right sign-in to an account that is to be deleted: what its form posts. */
export function sealRestoreTicket(
  { id: userId, signInEpoch }: Pick<Account, "id" | "signInEpoch">,
  { deleteAfter, browser, signIn }: Pick<RestoreTicket, "deleteAfter" | "browser" | "signIn">,
  { seal, now }: Pick<AccountDeps, "seal" | "now">,
): string {
  const ticket: RestoreTicket = { userId, deleteAfter, signInEpoch, browser, issuedAt: now(), signIn };
  return seal.seal(PURPOSE, JSON.stringify(ticket));
}

/** Undefined in another browser, after ten minutes, and once the account can no longer be restored. */
export function openRestoreTicket(
  sealed: string,
  browser: Hash | null,
  { seal, now }: Pick<AccountDeps, "seal" | "now">,
): RestoreTicket | undefined {
  const clear = seal.open(PURPOSE, sealed);
  if (clear === undefined) return undefined;
  const ticket: RestoreTicket = JSON.parse(clear); // sealed by us, so it has this shape
  const isLive = now() < ticket.issuedAt + TICKET_SECONDS && now() < ticket.deleteAfter;
  return ticket.browser === browser && isLive ? ticket : undefined;
}
