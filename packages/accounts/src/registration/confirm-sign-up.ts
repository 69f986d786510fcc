import type { Hash } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { accountEvent } from "../events/account-event.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import { checkMailedCode } from "../mailed-tokens/check-code.ts";
import { ACCOUNT_PAGE, type Continuation } from "../sign-in/continuation.ts";
import type { Account } from "../store/accounts.ts";
import type { MailedToken } from "../store/mailed-tokens.ts";
import type { AddressClaim, AddressSpend } from "../store/registrations.ts";
import { type AccountRequest, sourceOf } from "./account-request.ts";
import { isCodeFresh } from "./code-age.ts";
import { maySignUp, readName } from "./draft.ts";
import { isAskingBrowser, newAccountId, passkeyAdded, pendingSignUp, signUpFactor } from "./sign-up.ts";
import { type ChosenWayIn, readWayIn, type WayInRefused } from "./way-in.ts";

/**
 * `dead`: the code or link is used, expired or replaced. `taken`: somebody with this address was faster. `closed`:
 * nobody can sign up with this address any more.
 */
export type ConfirmOutcome =
  | { kind: "confirmed"; account: Account; continuation: Continuation; factor: FirstFactor }
  | { kind: "wrong" }
  | { kind: "wait"; seconds: number }
  | { kind: "dead" }
  | { kind: "taken" }
  | { kind: "closed" }
  | WayInRefused;

/** The code of a sign-up, typed in the browser that signed up: makes the account with what was typed there. RG-03. */
export async function confirmSignUpCode(
  { email, code, browser }: { email: string; code: string; browser: Hash | null },
  request: AccountRequest,
  deps: AccountDeps,
): Promise<ConfirmOutcome> {
  const check = await checkMailedCode({ purpose: "sign_up", email, code, browser }, deps);
  if (check.kind !== "right") return check;
  return isCodeFresh(check.token, deps.now()) ? createTyped(check.token, request, deps) : { kind: "wrong" };
}

/** The link of a sign-up, opened in the browser that signed up. `token` comes from `openMailedLink`. */
export async function confirmSignUpLink(
  token: MailedToken,
  browser: Hash | null,
  request: AccountRequest,
  deps: AccountDeps,
): Promise<ConfirmOutcome> {
  return isAskingBrowser(token, browser) ? createTyped(token, request, deps) : { kind: "dead" };
}

/** The link of a sign-up, opened in another browser: what a stranger may have typed is never used. RG-04. */
export async function signUpWithLink(
  token: MailedToken,
  typed: { name: string } & ChosenWayIn,
  request: AccountRequest,
  deps: AccountDeps,
): Promise<ConfirmOutcome> {
  const { email, hash } = token;
  const name = readName(typed.name);
  if (name === undefined) return { kind: "refused", fault: { field: "name", code: "name" } };
  const wayIn = await readWayIn(typed, { email, name }, { purpose: "sign_up", userId: hash }, request, deps);
  return "kind" in wayIn ? wayIn : create(token, { name, ...wayIn, continuation: ACCOUNT_PAGE }, request, deps);
}

function createTyped(token: MailedToken, request: AccountRequest, deps: AccountDeps): Promise<ConfirmOutcome> {
  return create(token, pendingSignUp(token, deps), request, deps);
}

async function create(
  { hash, email }: MailedToken,
  { name, passwordHash, passkey, continuation }: ReturnType<typeof pendingSignUp>,
  request: AccountRequest,
  deps: AccountDeps,
): Promise<ConfirmOutcome> {
  if (!maySignUp(email, deps)) return { kind: "closed" };
  const claim = { email, name, passwordHash, passkey, role: "user", registeredBy: "self" } as const;
  const outcome = await claimAccount(claim, { kind: "mailed_token", hash }, "signed_up", request, deps);
  return typeof outcome === "string"
    ? { kind: outcome }
    : { kind: "confirmed", account: outcome, continuation, factor: signUpFactor({ passkey }) };
}

type Claim = Pick<AddressClaim, "email" | "name" | "passwordHash" | "role" | "registeredBy" | "passkey">;

/**
 * Makes the account of somebody who has proved the address, and removes what an unproved account with it contained.
 * RG-05.
 */
export async function claimAccount(
  claim: Claim,
  proof: AddressSpend,
  kind: "signed_up" | "invitation_accepted",
  request: AccountRequest,
  deps: Pick<AccountDeps, "people" | "now" | "random">,
): Promise<Account | "dead" | "taken"> {
  const now = deps.now();
  const newAccount = {
    ...claim,
    id: newAccountId(deps),
    createdAt: now,
    passwordSetAt: claim.passwordHash === null ? null : now,
  };
  const also = (userId: string) => {
    const of = { userId, source: sourceOf(request) };
    return { events: [accountEvent(kind, of, deps), ...passkeyAdded(claim.passkey, of, deps)] };
  };
  const claimed = await deps.people.claimAddress(newAccount, proof, also, now);
  if (claimed === "spent") return "dead";
  if (claimed === "taken") return "taken";
  const account = await deps.people.findAccount(claimed.userId);
  if (!account) throw new Error("an account that was just created is gone");
  return account;
}
