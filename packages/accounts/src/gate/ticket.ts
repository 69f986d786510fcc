import { type Deps, type Hash, mintId, sha256, type User } from "@gatehouse/auth";
import type { Account } from "../store/people.ts";
import { hasSameEpochs } from "./epochs.ts";
import type { FirstFactor } from "./first-factor.ts";
import { accountStatusOf, type Passage } from "./gate.ts";

/**
 * A sign-in between its first factor and its second step: sealed, in a cookie, for one browser, and spent once. Its continuation travels
 * beside it, in the forms: it decides on nothing here, and the authorization endpoint checks the levels again. MF-02.
 */
export type Ticket = {
  id: string;
  userId: string;
  /** The user's epochs when it was made; a raised one ends it. */
  accessEpoch: number;
  signInEpoch: number;
  factor: FirstFactor;
  /** What is missing: a second step, or a second factor to set up. */
  step: Extract<Passage, "second_step" | "enrol">;
  keep: boolean;
  /** The browser can make a passkey, as the sign-in page reported. WA-13. */
  canMakePasskey?: boolean;
  browser: Hash;
  issuedAt: number;
};

const PURPOSE = "second step ticket";
export const TICKET_SECONDS = 600;
/** Browsers drop larger cookies. RFC 6265 §6.1. */
const MOST_CHARACTERS = 3800;

/** Seals a ticket. A provider's ID token that makes it too large for a cookie is left out: then sign-out does not mention the provider. */
export function sealTicket(
  draft: Pick<Ticket, "factor" | "step" | "keep" | "canMakePasskey" | "browser"> & {
    user: Pick<User, "id" | "accessEpoch" | "signInEpoch">;
  },
  deps: Pick<Deps, "seal" | "now" | "random">,
): string {
  const { user, ...rest } = draft;
  const { accessEpoch, signInEpoch } = user;
  const ticket: Ticket = { ...rest, id: mintId(deps.random), userId: user.id, accessEpoch, signInEpoch, issuedAt: deps.now() };
  const sealed = deps.seal.seal(PURPOSE, JSON.stringify(ticket));
  if (sealed.length <= MOST_CHARACTERS || ticket.factor.method !== "upstream") return sealed;
  const { idToken: _, ...factor } = ticket.factor;
  return deps.seal.seal(PURPOSE, JSON.stringify({ ...ticket, factor }));
}

/** Opens a ticket in the browser it was made for; undefined in another one, after ten minutes, or when it was altered. */
export function openTicket(sealed: string, browser: Hash | null, deps: Pick<Deps, "seal" | "now">): Ticket | undefined {
  const clear = deps.seal.open(PURPOSE, sealed);
  if (clear === undefined) return undefined;
  const ticket: Ticket = JSON.parse(clear); // sealed by us, so it has this shape
  return ticket.browser === browser && deps.now() < ticket.issuedAt + TICKET_SECONDS ? ticket : undefined;
}

/**
 * Does the ticket still count for its user? Not after a change that raised an epoch, such as a reset or a deletion, nor for a disabled account.
 * A ticket from after the deletion leads to the offer to restore the account. WE-03, RG-10.
 */
export function isTicketOf(
  ticket: Ticket,
  account: Pick<Account, "id" | "accessEpoch" | "signInEpoch" | "disabledAt" | "deleteAfter">,
): boolean {
  return ticket.userId === account.id && hasSameEpochs(ticket, account) && accountStatusOf(account) !== "disabled";
}

/** Spends a ticket. False if it was spent before: of racing requests one begins a session. */
export function spendTicket({ id, issuedAt }: Ticket, deps: Pick<Deps, "store">): Promise<boolean> {
  return deps.store.spendOnce(sha256(`second step ${id}`), issuedAt + TICKET_SECONDS);
}
