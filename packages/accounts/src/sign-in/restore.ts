import { meets, policyLevel } from "@gatehouse/auth";
import { accountEvent } from "../events/account-event.ts";
import { accountStatusOf } from "../gate/gate.ts";
import { recipientOf } from "../mails/composer.ts";
import { noticeOf, sourceOf } from "../registration/account-request.ts";
import type { Account } from "../store/accounts.ts";
import type { Continuation } from "./continuation.ts";
import { afterGate } from "./order.ts";
import { openRestoreTicket } from "./restore-ticket.ts";
import type { CompleteSignIn, NextStep, SignInDeps, SignInRequest } from "./sign-in.ts";

/**
 * `dead`: the ticket is not from this browser or too old, or the account is gone. `restored`: its user signs in again.
 */
export type Restored = { kind: "dead" } | { kind: "restored"; account: Account } | { kind: "next"; next: NextStep };

/**
 * Restores an account that is scheduled for deletion, and continues the sign-in in the ticket, unless the account
 * changed meanwhile or its role demands a second factor that it lacks (MF-09). RG-10.
 */
export async function restoreInSignIn(
  ticket: string,
  continuation: Continuation,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<Restored> {
  const restored = await restoreAccount(ticket, request, deps);
  if (!restored) return { kind: "dead" };
  const { account, signIn } = restored;
  if (!signIn) return { kind: "restored", account };
  return { kind: "next", next: await afterGate(account, signIn, continuation, request, deps) };
}

/** `signIn` is undefined if it may not continue. */
async function restoreAccount(
  sealed: string,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<{ account: Account; signIn: CompleteSignIn | undefined } | undefined> {
  const ticket = openRestoreTicket(sealed, request.browser.hash, deps);
  if (!ticket) return undefined;
  const { userId, deleteAfter, signIn } = ticket;
  const before = await deps.people.findAccount(userId);
  if (!before) return undefined;

  const mail = deps.mail.compose("account_restored", {
    ...recipientOf(before),
    userId,
    locale: before.locale ?? request.locale,
    data: noticeOf(request, deps.now()),
  });
  const events = [accountEvent("account_restored", { userId, source: sourceOf(request) }, deps)];
  if (!(await deps.people.restoreAccount({ userId, deleteAfter }, { mails: [mail], events }))) return undefined;
  const account = await deps.people.findAccount(userId);
  if (!account) return undefined;
  const demanded = policyLevel(account.role, deps.config);
  const isEnough = demanded === undefined || meets(signIn.proof.acr, demanded);
  const goesOn = isEnough && accountStatusOf(account) === "active" && account.signInEpoch === ticket.signInEpoch;
  return { account, signIn: goesOn ? signIn : undefined };
}
