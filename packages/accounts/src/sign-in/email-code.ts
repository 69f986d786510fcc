import { normaliseEmail } from "../addresses/email-address.ts";
import {
  type EmailSignIn,
  openSignInLink,
  redeemSignInCode,
  redeemSignInLink,
  type SignInLink,
} from "../email-sign-in/redeem.ts";
import { mailedTokenData } from "../mailed-tokens/mint.ts";
import { type DeadMail, whyCodeIsWrong, whyLinkIsDead } from "../sign-in-log/mailed-code.ts";
import { recordSignIn } from "../sign-in-log/record.ts";
import { ACCOUNT_PAGE, type Continuation } from "./continuation.ts";
import { afterFirstFactor } from "./order.ts";
import type { NextStep, SignInChoices, SignInDeps, SignInRequest } from "./sign-in.ts";

/** What a sign-in by mail continues with: `requestSignInCode` keeps it for the link, the forms for the code. */
export type EmailCodeContinuation = { continuation: Continuation; keep: boolean };

export type EmailCodeSignIn = Exclude<EmailSignIn, { kind: "signed_in" }> | { kind: "next"; next: NextStep };

/** Signs in with a code that was mailed to this browser's user. ML-02, ML-03. */
export async function signInWithCode(
  { email, code }: { email: string; code: string },
  choices: SignInChoices,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<EmailCodeSignIn> {
  const typed = { email: normaliseEmail(email) ?? "", code, browser: request.browser.hash };
  const result = await redeemSignInCode(typed, request, deps);
  if (result.kind !== "signed_in") {
    if (typed.email !== "") await recordCode(result.kind, typed, choices.continuation, request, deps);
    return result;
  }
  return {
    kind: "next",
    next: await afterFirstFactor(result.account, { method: "email_code" }, choices, request, deps),
  };
}

async function recordCode(
  outcome: "wrong" | "wait",
  typed: { email: string; browser: SignInRequest["browser"]["hash"] },
  continuation: Continuation,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<void> {
  const why: DeadMail =
    outcome === "wait" ? { cause: "too_many_attempts" } : await whyCodeIsWrong({ purpose: "sign_in", ...typed }, deps);
  const who = why.userId == null ? { email: typed.email } : { userId: why.userId };
  await recordSignIn({ factor: "email_code", cause: why.cause, who }, continuation, request, deps);
}

/**
 * Looks at the link of the same mail, and spends nothing. If it is of no use here, the sign-in log says why, also when
 * a mail filter opened it. ML-02, SL-01.
 */
export async function visitSignInLink(
  secret: string | undefined,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<SignInLink> {
  const { hash } = request.browser;
  const link = await openSignInLink(secret, hash, deps);
  const dead = link.kind === "usable" ? undefined : await whyLinkIsDead(secret, hash, deps);
  if (dead) {
    const { cause, userId, token } = dead;
    const kept = mailedTokenData(token, deps) as EmailCodeContinuation | undefined;
    const who = userId == null ? { unknownEmail: token.email } : { userId };
    await recordSignIn({ factor: "email_code", cause, who }, kept?.continuation ?? ACCOUNT_PAGE, request, deps);
  }
  return link;
}

/** Signs in with the link of the same mail. `elsewhere`: it counts only in the browser that asked for it. N56. */
export async function signInWithLink(
  secret: string | undefined,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<{ kind: "elsewhere" | "dead" } | { kind: "next"; next: NextStep }> {
  const link = await visitSignInLink(secret, request, deps);
  if (link.kind !== "usable") return link;
  const result = await redeemSignInLink(link.token, request, deps);
  if (result.kind !== "signed_in") return { kind: "dead" };
  const kept = result.continuation as EmailCodeContinuation; // as it was given to `requestSignInCode`
  const choices = { continuation: kept.continuation, keep: kept.keep, canMakePasskey: false };
  return {
    kind: "next",
    next: await afterFirstFactor(result.account, { method: "email_code" }, choices, request, deps),
  };
}
