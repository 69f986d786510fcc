import { type PostedCeremony, provePasskey } from "../passkeys/authenticate.ts";
import { actingBrowser } from "../registration/account-request.ts";
import { PASSKEY_CAUSES } from "../sign-in-log/passkey-causes.ts";
import { recordSignIn } from "../sign-in-log/record.ts";
import type { Continuation } from "./continuation.ts";
import { afterFirstFactor } from "./order.ts";
import type { NextStep, SignInChoices, SignInDeps, SignInRequest } from "./sign-in.ts";

export type PasskeySignIn =
  | { kind: "wait"; seconds: number }
  /** `unknownCredentialId`: no account has this passkey. WA-10. */
  | { kind: "refused"; unknownCredentialId: string | undefined }
  | { kind: "next"; next: NextStep };

/** Signs in with a passkey of any account. WA-04, WA-07. */
export async function signInWithPasskey(
  posted: PostedCeremony,
  choices: SignInChoices,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<PasskeySignIn> {
  const attempts = deps.limits.passkey(request.caller);
  const seconds = await attempts.begin();
  if (seconds > 0) {
    const facts = { factor: "passkey", cause: "too_many_attempts", who: undefined } as const;
    await recordSignIn(facts, choices.continuation, request, deps);
    return { kind: "wait", seconds };
  }
  const expected = { purpose: "sign_in", browser: request.browser.hash ?? "", userId: null } as const;
  const proof = await provePasskey(posted, expected, actingBrowser(request), deps);
  if (proof.kind === "refused") {
    const who = proof.account && { userId: proof.account.id };
    const facts = { factor: "passkey", cause: PASSKEY_CAUSES[proof.why], who } as const;
    await recordSignIn(facts, choices.continuation, request, deps);
    return { kind: "refused", unknownCredentialId: proof.unknownCredentialId };
  }
  await attempts.succeeded();
  const factor = { method: "passkey", credentialId: proof.passkey.credentialId } as const;
  return { kind: "next", next: await afterFirstFactor(proof.account, factor, choices, request, deps) };
}

/** The names of browsers' errors have no other characters. */
const ERROR_NAME = /^[A-Za-z]{1,40}$/;

/**
 * Records that the browser asked for a passkey and got none. `problem`: the name of the browser's error, which anybody
 * can post. Whose passkey it would have been is not known, so such rows displace no account's. SL-01.
 */
export async function recordPasskeyNotGiven(
  problem: string,
  continuation: Continuation,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<void> {
  const detail = ERROR_NAME.test(problem) ? { message: problem } : {};
  const facts = { factor: "passkey", cause: "passkey_not_given", who: undefined, detail } as const;
  await recordSignIn(facts, continuation, request, deps);
}
