import type { ActiveSession } from "@gatehouse/auth";
import { provePasskey } from "../passkeys/authenticate.ts";
import { beginPasskeyStep } from "../passkeys/begin.ts";
import { actingBrowser } from "../registration/account-request.ts";
import type { Continuation } from "../sign-in/continuation.ts";
import { afterFirstFactor } from "../sign-in/order.ts";
import { findProviderOfAddress } from "../sign-in/provider.ts";
import type { NextStep, SignInDeps, SignInRequest } from "../sign-in/sign-in.ts";
import type { SignInCause } from "../sign-in-log/causes.ts";
import { PASSKEY_CAUSES } from "../sign-in-log/passkey-causes.ts";
import { recordSignIn } from "../sign-in-log/record.ts";
import { type AskedProofs, findConnectedProviders, passkeyPurposeOf, type TypedProofs } from "./confirm.ts";
import { checkOwnPassword } from "./own-password.ts";

// A request can ask for a new sign-in of the user who is signed in: `max_age`, `prompt=login`, a level that the session
// is too weak for. It is a sign-in with all that follows one, of one account that need not be named. OI-03, AL-03.

/**
 * What the user of a session can sign in with again: their first factors. The second one, if there is to be one, is
 * asked for after that, as in any sign-in. Undefined if this page has nothing to ask for, such as an account that signs
 * in with mailed codes alone: the sign-in page has every way.
 */
export async function describeRenewal(
  active: ActiveSession,
  request: Pick<SignInRequest, "browser">,
  deps: SignInDeps,
): Promise<AskedProofs | undefined> {
  const { user } = active;
  const [ceremony, has, connected, bound] = await Promise.all([
    beginPasskeyStep(passkeyPurposeOf(active), deps),
    deps.people.findResetFacts(user.id),
    findConnectedProviders(user.id, deps),
    findProviderOfAddress(user.email, request.browser, deps),
  ]);
  const hasPassword = has.hasPassword && !bound; // UP-10
  const providers = bound ? connected.filter(({ id }) => id === bound.id) : connected;
  if (!hasPassword && !ceremony && providers.length === 0) return undefined;
  return { missing: { first: true, second: null }, ...has, hasPassword, ceremony, providers };
}

/** What comes of {@link renewSignIn}. `other_way`: the account signs in elsewhere than with a password. UP-10. */
export type RenewalOutcome =
  | { kind: "next"; next: NextStep }
  | { kind: "wait"; seconds: number }
  | { kind: "wrong_password" | "wrong_passkey" | "other_way" };

/**
 * Signs the user of a session in again, with a password or a passkey of this account alone. The new session replaces
 * this one.
 */
export async function renewSignIn(
  active: ActiveSession,
  { password, passkey }: Pick<TypedProofs, "password" | "passkey">,
  continuation: Continuation,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<RenewalOutcome> {
  const choices = { continuation, keep: active.session.persistent, canMakePasskey: false };
  const failed = (factor: "passkey" | "password", cause: SignInCause) =>
    recordSignIn({ factor, cause, who: { userId: active.user.id } }, continuation, request, deps);
  if (passkey) {
    const proof = await provePasskey(passkey, passkeyPurposeOf(active), actingBrowser(request), deps);
    if (proof.kind === "refused") {
      await failed("passkey", PASSKEY_CAUSES[proof.why]);
      return { kind: "wrong_passkey" };
    }
    const factor = { method: "passkey", credentialId: proof.passkey.credentialId } as const;
    return { kind: "next", next: await afterFirstFactor(proof.account, factor, choices, request, deps) };
  }
  if (await findProviderOfAddress(active.user.email, request.browser, deps)) return { kind: "other_way" };
  const checked = await checkOwnPassword(active, password, request, deps);
  if (checked.kind === "wait") {
    await failed("password", "too_many_attempts");
    return checked;
  }
  if (checked.kind === "wrong") {
    await failed("password", "wrong_password");
    return { kind: "wrong_password" };
  }
  return {
    kind: "next",
    next: await afterFirstFactor(checked.account, { method: "password" }, choices, request, deps),
  };
}
