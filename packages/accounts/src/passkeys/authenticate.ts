import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { AccountDeps } from "../deps.ts";
import type { ActingBrowser } from "../registration/account-request.ts";
import type { Account } from "../store/accounts.ts";
import type { Passkey } from "../store/passkeys.ts";
import { type ChallengeBinding, spendChallenge } from "./challenge.ts";
import { recordUse } from "./counter.ts";
import { requiresUserVerification } from "./options.ts";
import { isCrossOrigin, readAssertion, type VerifiedAssertion } from "./response.ts";
import type { PasskeySettings } from "./settings.ts";

/** What the form of a ceremony page posts: the sealed challenge, and the browser's response as JSON. */
export type PostedCeremony = { challenge: string; credential: string };

/** Why a passkey does not count. For logs and tests: users see one message for all. */
export type PasskeyProblem =
  | "off"
  | "malformed"
  | "challenge"
  | "unknown"
  | "disabled"
  | "owner"
  | "rejected"
  | "cloned"
  | "gone";

export type PasskeyProof =
  | { kind: "proved"; account: Account; passkey: Passkey; userVerified: boolean }
  /**
   * `unknownCredentialId`: no account has this passkey, so the browser may be told to forget it. `account`: whose it
   * is, for the sign-in log alone. WA-10.
   */
  | { kind: "refused"; why: PasskeyProblem; unknownCredentialId?: string; account?: Account };

type PasskeyDeps = Pick<AccountDeps, "accounts" | "store" | "people" | "seal" | "now" | "random" | "mail">;

/**
 * Verifies that a passkey signed the challenge of this form. For `sign_in` and `confirm` the passkey must verify its
 * user; for `second_step`, where `expected.userId` is known from the first factor, possession is enough. `by` is for
 * the notice of a copied passkey. WA-06, WA-07.
 */
export async function provePasskey(
  posted: PostedCeremony,
  expected: ChallengeBinding,
  by: ActingBrowser,
  deps: PasskeyDeps,
): Promise<PasskeyProof> {
  const settings = deps.accounts.passkeys;
  if (!settings) return { kind: "refused", why: "off" };
  const assertion = readAssertion(posted.credential);
  if (!assertion) return { kind: "refused", why: "malformed" };
  const spent = await spendChallenge(posted.challenge, expected, deps);
  if (!spent) return { kind: "refused", why: "challenge" };

  const found = await deps.people.findPasskey(assertion.id);
  if (!found) return { kind: "refused", why: "unknown", unknownCredentialId: assertion.id };
  const { passkey, account } = found;
  if (account.disabledAt !== null) return { kind: "refused", why: "disabled", account };
  if (!isOwner(account, assertion, expected) || passkey.rpId !== settings.rpId)
    return { kind: "refused", why: "owner", account };

  const userVerification = requiresUserVerification(expected.purpose);
  const verified = await verify(assertion, { challenge: spent.challenge, passkey, settings, userVerification });
  // WebAuthn L3 §7.2, step 19: backup eligibility is fixed when a passkey is made.
  if (!verified || verified.backupEligible !== passkey.backupEligible)
    return { kind: "refused", why: "rejected", account };
  const outcome = await recordUse({ ...found, by }, verified, deps);
  if (outcome !== "used") return { kind: "refused", why: outcome, account };
  return { kind: "proved", account, passkey, userVerified: verified.userVerified };
}

/** WebAuthn L3 §7.2, steps 5 and 6. Without a first factor the passkey itself must say whose it is. */
function isOwner(account: Account, { response }: AuthenticationResponseJSON, { userId }: ChallengeBinding): boolean {
  if (userId !== null && userId !== account.id) return false;
  if (response.userHandle === undefined) return userId !== null;
  return response.userHandle === account.webauthnUserId;
}

type Expected = { challenge: string; passkey: Passkey; settings: PasskeySettings; userVerification: boolean };

async function verify(
  response: AuthenticationResponseJSON,
  expected: Expected,
): Promise<VerifiedAssertion | undefined> {
  const { challenge, passkey, settings, userVerification } = expected;
  if (isCrossOrigin(response.response.clientDataJSON)) return undefined;
  // Loaded with the first passkey: it parses certificates too, and would make every start slower.
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: settings.origin,
      expectedRPID: settings.rpId,
      requireUserVerification: userVerification,
      // The library throws on a counter that does not rise. `recordUse` checks it instead. WA-08.
      credential: { id: passkey.credentialId, publicKey: Uint8Array.from(passkey.publicKey), counter: 0 },
    });
    if (!verified) return undefined;
    const { newCounter: counter, credentialBackedUp: backedUp, userVerified } = info;
    return { counter, backupEligible: info.credentialDeviceType === "multiDevice", backedUp, userVerified };
  } catch {
    return undefined; // the library throws for whatever an attacker made up
  }
}
