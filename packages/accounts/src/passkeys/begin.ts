import type { AccountDeps } from "../deps.ts";
import { issueChallenge } from "./challenge.ts";
import { requestOptions } from "./options.ts";

type BeginDeps = Pick<AccountDeps, "accounts" | "people" | "seal" | "now" | "random">;

/**
 * What a page needs to run a ceremony: the options for the browser, and the sealed challenge that comes back with the
 * answer.
 */
export type PasskeyCeremony = { options: object; sealed: string };

/**
 * A sign-in with any passkey of this installation. `browser`: what the challenge is bound to. Undefined while passkeys
 * are off. Writes nothing. WA-04.
 */
export function beginPasskeySignIn(browser: string, deps: Omit<BeginDeps, "people">): PasskeyCeremony | undefined {
  const settings = deps.accounts.passkeys;
  if (!settings) return undefined;
  const { challenge, sealed } = issueChallenge({ purpose: "sign_in", browser, userId: null }, deps);
  return { sealed, options: requestOptions({ challenge, purpose: "sign_in" }, settings) };
}

/**
 * A further proof of a known user: the second step after another first factor, or a confirmation. Undefined if the user
 * has no passkey that works here. Writes nothing. WA-07.
 */
export async function beginPasskeyStep(
  of: { purpose: "second_step" | "confirm"; userId: string; browser: string },
  deps: BeginDeps,
): Promise<PasskeyCeremony | undefined> {
  const settings = deps.accounts.passkeys;
  if (!settings) return undefined;
  const allowed = (await deps.people.listPasskeys(of.userId)).filter(({ rpId }) => rpId === settings.rpId);
  if (allowed.length === 0) return undefined;
  const { challenge, sealed } = issueChallenge(of, deps);
  return { sealed, options: requestOptions({ challenge, purpose: of.purpose, allowed }, settings) };
}
