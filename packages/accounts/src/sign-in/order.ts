import { asksForProof, mintTimeOrderedId, type User } from "@gatehouse/auth";
import { hasSameEpochs } from "../gate/epochs.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import { passGate } from "../gate/gate.ts";
import { sealPendingSignIn } from "../gate/pending-sign-in.ts";
import { isRemembered } from "../gate/remembered-browser.ts";
import type { SignInCause } from "../sign-in-log/causes.ts";
import { recordSignIn } from "../sign-in-log/record.ts";
import type { Account } from "../store/accounts.ts";
import type { Continuation } from "./continuation.ts";
import { sealRequiredChange } from "./new-password-ticket.ts";
import { findProviderInstead } from "./provider.ts";
import { sealRestoreTicket } from "./restore-ticket.ts";
import { beginSession } from "./session.ts";
import type { CompleteSignIn, NextStep, SignInChoices, SignInDeps, SignInRequest } from "./sign-in.ts";

/**
 * What follows a first factor: the session, if that is enough; otherwise the provider of the account's domain, the
 * second step, a required change of the password, or the offer to restore the account. Every way to sign in ends here.
 * MF-01. `proved` is the account as it was read to prove the factor: if its password was reset since then, the factor
 * proves nothing any more. WE-03.
 */
export async function afterFirstFactor(
  proved: Pick<User, "id" | "accessEpoch" | "signInEpoch">,
  factor: FirstFactor,
  { continuation, keep, canMakePasskey }: SignInChoices,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<NextStep> {
  const { browser } = request;
  const account = await deps.people.findAccount(proved.id);
  const refuse = async (cause: SignInCause): Promise<NextStep> => {
    await recordSignIn({ factor: factor.method, cause, who: { userId: proved.id } }, continuation, request, deps);
    return { kind: "refused", continuation };
  };
  if (!account || !hasSameEpochs(proved, account)) return refuse("account_changed");
  const provider = await findProviderInstead(account, factor, browser, deps);
  if (provider) return { kind: "provider", provider, email: account.email, keep, continuation };

  const insists = continuation.request !== undefined && (await asksForProof(continuation.request, deps));
  const remembered = () => isRemembered(account.id, browser.remembered, deps);
  const { passage, proof } = await passGate(account, factor, { insists, remembered }, deps);
  if (passage === "refused") return refuse("account_disabled");
  if (passage === "second_step" || passage === "enrol") {
    if (browser.hash === null) return { kind: "start_again", continuation };
    const id = mintTimeOrderedId(deps);
    const facts = { id, factor: factor.method, cause: "second_step_unfinished", who: { userId: account.id } } as const;
    await recordSignIn(facts, continuation, request, deps);
    const draft = { id, user: account, factor, step: passage, keep, canMakePasskey, browser: browser.hash };
    return { kind: "second_step", pending: sealPendingSignIn(draft, deps), continuation };
  }
  return afterGate(account, { factor, proof, keep, canMakePasskey }, continuation, request, deps);
}

/**
 * What follows a sign-in that passed the gate, second step included: its session, unless the account has to be restored
 * or the password replaced first. `account` is as read when the gate decided. PW-04, UM-03, RG-10.
 */
export async function afterGate(
  account: Account,
  signIn: CompleteSignIn,
  continuation: Continuation,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<NextStep> {
  const { deleteAfter } = account;
  const { remember = false, canMakePasskey = false, id = mintTimeOrderedId(deps), ...rest } = signIn;
  const proved = { ...rest, id };
  const unfinished = (cause: SignInCause) => {
    const facts = { id, factor: proved.factor.method, cause, who: { userId: account.id }, level: proved.proof.acr };
    return recordSignIn(facts, continuation, request, deps);
  };
  if (deleteAfter !== null) {
    await unfinished("restore_unfinished");
    const waiting = { deleteAfter, browser: request.browser.hash, signIn: { ...proved, canMakePasskey } };
    const ticket = sealRestoreTicket(account, waiting, deps);
    return { kind: "restore", deleteAfter, ticket, continuation };
  }
  if (proved.factor.method === "password" && account.mustChangePassword) {
    await unfinished("password_change_unfinished");
    // Only now: a leaked password alone must not set another one for an account with a second factor.
    const { hash: browser } = request.browser;
    if (browser === null) throw new Error("the sign-in form was accepted without the browser's cookie");
    const { id: userId, signInEpoch } = account;
    const change = { userId, signInEpoch, browser, ...proved, continuation, canMakePasskey, remember };
    return { kind: "new_password", account, ticket: sealRequiredChange(change, deps), continuation };
  }
  return { kind: "signed_in", continuation, ...(await beginSession(account, signIn, continuation, request, deps)) };
}
