import { accountStatusOf } from "../gate/gate.ts";
import { type ChosenPasswordProblem, replaceRequiredPassword } from "../passwords/change-password.ts";
import { sourceOf } from "../registration/account-request.ts";
import type { Account } from "../store/accounts.ts";
import { openRequiredChange, type RequiredChange } from "./new-password-ticket.ts";
import { beginSession } from "./session.ts";
import type { NextStep, SignInDeps, SignInRequest } from "./sign-in.ts";

export type NewPasswordOutcome =
  /**
   * The ticket is dead, or the account changed meanwhile: the sign-in starts again. `of`: set if the ticket
   * could be opened.
   */
  | { kind: "late"; of?: { change: RequiredChange; account: Account } }
  | { kind: "refused"; problem: ChosenPasswordProblem; change: RequiredChange; account: Account }
  | { kind: "next"; next: NextStep };

/**
 * Replaces the password that a sign-in may not go on with, and starts its session. The sign-in has passed the gate.
 * PW-04, UM-03.
 */
export async function replacePasswordInSignIn(
  { ticket, password }: { ticket: string; password: string },
  request: SignInRequest,
  deps: SignInDeps,
): Promise<NewPasswordOutcome> {
  const open = await openRequiredChange({ ticket, browser: request.browser.hash }, deps);
  if (!open) return { kind: "late" };
  const { change, account } = open;
  const { userId, signInEpoch, continuation } = change;
  const wanted = { userId, signInEpoch, password, source: sourceOf(request), locale: request.locale };
  const outcome = await replaceRequiredPassword(wanted, deps);
  if (outcome.kind === "refused") return { kind: "refused", problem: outcome.problem, change, account };
  const current = outcome.kind === "changed" ? await deps.people.findAccount(userId) : undefined;
  // The change raised the epoch once. Anything more, such as a reset, came after it and ends this sign-in too. WE-03.
  if (!current || accountStatusOf(current) !== "active" || current.signInEpoch !== signInEpoch + 1)
    return { kind: "late", of: open };
  const begun = await beginSession(current, change, continuation, request, deps);
  return { kind: "next", next: { kind: "signed_in", continuation, ...begun } };
}
