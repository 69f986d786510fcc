import { type Hash, meets, policyLevel } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { accountEvent } from "../events/account-event.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import { standingOf } from "../gate/gate.ts";
import type { SignInProof } from "../gate/proof.ts";
import { recipientOf } from "../mails/composer.ts";
import { isVouchedFor, type Person } from "../store/people.ts";
import { type AccountRequest, noticeOf, sourceOf } from "./account-request.ts";

const DAY = 86_400;

/** `last_admin`: somebody has to be able to administer the installation. `deleteAfter`: null if the account is gone already. */
export type DeletionOutcome = { kind: "deleted"; deleteAfter: number | null } | { kind: "last_admin" };

/**
 * How long the account can be restored after its deletion, in days. One that nobody vouches for is deleted at once: during a grace period it
 * would keep the owner of the address out. RG-05.
 */
export function graceDaysOf(person: Pick<Person, "registeredBy" | "emailVerifiedAt">, { accounts }: Pick<AccountDeps, "accounts">): number {
  return isVouchedFor(person) ? accounts.deletionGraceDays : 0;
}

/**
 * Deletes an account on behalf of its user: ends all access at once, tells the clients, and deletes the row after the grace period, in which a
 * sign-in can restore it. The caller has required a recent sign-in. RG-10.
 */
export async function deleteAccount(person: Person, request: AccountRequest, deps: AccountDeps): Promise<DeletionOutcome> {
  const { id: userId } = person;
  const now = deps.now();
  const days = graceDaysOf(person, deps);
  const deleteAfter = now + days * DAY;
  const restorableUntil = days === 0 ? null : deleteAfter;
  const mail = deps.mail.compose("account_deletion", {
    ...recipientOf(person),
    locale: person.locale ?? request.locale,
    data: { ...noticeOf(request, now), deleteAfter: restorableUntil, link: `${deps.config.issuer}/sign-in` },
  });
  const events = [accountEvent("deletion_requested", { userId, source: sourceOf(request) }, deps)];
  const marked = await deps.people.requestDeletion({ userId, deleteAfter }, { mails: [mail], events }, now);
  if (!marked) return { kind: "last_admin" };
  if (days === 0) await deps.people.deletePerson(userId, now);
  return { kind: "deleted", deleteAfter: restorableUntil };
}

const PURPOSE = "restore account";
const TICKET_SECONDS = 600;

/** A sign-in that passed the gate, for which the account has to be restored first. */
export type RestoringSignIn = { factor: FirstFactor; proof: SignInProof; keep: boolean };

type Ticket = Pick<Person, "deleteAfter" | "signInEpoch"> & {
  userId: string;
  browser: Hash | null;
  issuedAt: number;
  signIn: RestoringSignIn;
};

/** For the page that follows a right sign-in to an account that is to be deleted: what its form `Restore` posts. */
export function sealRestoreTicket(
  { id: userId, deleteAfter, signInEpoch }: Pick<Person, "id" | "deleteAfter" | "signInEpoch">,
  browser: Hash | null,
  signIn: RestoringSignIn,
  { seal, now }: Pick<AccountDeps, "seal" | "now">,
): string {
  const ticket: Ticket = { userId, deleteAfter, signInEpoch, browser, issuedAt: now(), signIn };
  return seal.seal(PURPOSE, JSON.stringify(ticket));
}

/**
 * Restores an account that is scheduled for deletion. `signIn` continues; it is undefined if the account changed meanwhile, or its role demands a second factor that it
 * lacks (MF-09): then the user signs in again. Undefined if the ticket is not from this browser, too old, or the account is gone. RG-10.
 */
export async function restoreAccount(
  sealed: string,
  browser: Hash | null,
  request: AccountRequest,
  deps: AccountDeps,
): Promise<{ person: Person; signIn: RestoringSignIn | undefined } | undefined> {
  const clear = deps.seal.open(PURPOSE, sealed);
  if (clear === undefined) return undefined;
  const ticket: Ticket = JSON.parse(clear); // sealed by us, so it has this shape
  const { userId, deleteAfter, issuedAt, signIn } = ticket;
  const now = deps.now();
  if (deleteAfter === null || ticket.browser !== browser || now >= issuedAt + TICKET_SECONDS || now >= deleteAfter) return undefined;
  const before = await deps.people.findPerson(userId);
  if (!before) return undefined;

  const mail = deps.mail.compose("account_restored", {
    ...recipientOf(before),
    userId,
    locale: before.locale ?? request.locale,
    data: noticeOf(request, now),
  });
  const events = [accountEvent("account_restored", { userId, source: sourceOf(request) }, deps)];
  if (!(await deps.people.restorePerson({ userId, deleteAfter }, { mails: [mail], events }))) return undefined;
  const person = await deps.people.findPerson(userId);
  if (!person) return undefined;
  const demanded = policyLevel(person.role, deps.config);
  const isEnough = demanded === undefined || meets(signIn.proof.acr, demanded);
  const goesOn = isEnough && standingOf(person) === "active" && person.signInEpoch === ticket.signInEpoch;
  return { person, signIn: goesOn ? signIn : undefined };
}
