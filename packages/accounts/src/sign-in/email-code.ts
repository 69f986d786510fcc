import { normaliseEmail } from "../addresses/email-address.ts";
import { type EmailSignIn, openSignInLink, redeemSignInCode, redeemSignInLink } from "../email-sign-in/redeem.ts";
import type { Continuation } from "./continuation.ts";
import { countSignIn } from "./count.ts";
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
  if (result.kind === "wrong") countSignIn("failed", "email_code", choices.continuation, deps);
  if (result.kind !== "signed_in") return result;
  return {
    kind: "next",
    next: await afterFirstFactor(result.account, { method: "email_code" }, choices, request, deps),
  };
}

/** Signs in with the link of the same mail. `elsewhere`: it counts only in the browser that asked for it. N56. */
export async function signInWithLink(
  secret: string | undefined,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<{ kind: "elsewhere" | "dead" } | { kind: "next"; next: NextStep }> {
  const link = await openSignInLink(secret, request.browser.hash, deps);
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
