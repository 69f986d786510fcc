import { type Deps, sha256 } from "@gatehouse/auth";

/** What a ceremony is for. A response made for one purpose does not count for another. */
export type PasskeyPurpose = "sign_in" | "second_step" | "confirm" | "register" | "invitation" | "sign_up";

/** How long a ceremony's page can be open. */
const PASSKEY_CHALLENGE_SECONDS = 30 * 60;

/** What a challenge is for and bound to. */
export type ChallengeBinding = {
  purpose: PasskeyPurpose;
  /** The hash of the visitor cookie or session of the browser that asked. */
  browser: string;
  /** The user, invitation or mailed link that is already known; null at sign-in and on the sign-up page. */
  userId: string | null;
};

/** A challenge for the browser, and the sealed form field that the server gets back. */
export type PasskeyChallenge = { challenge: string; sealed: string };

const SEAL_PURPOSE = "passkey challenge";
const CHALLENGE_BYTES = 32;

type Sealed = { of: ChallengeBinding; challenge: string; userHandle: string | null; expiresAt: number };
type ChallengeDeps = Pick<Deps, "store" | "seal" | "now" | "random">;

/** Makes a challenge. Writes nothing. `userHandle` travels with it until the passkey is stored. WA-05. */
export function issueChallenge(
  of: ChallengeBinding,
  deps: Pick<ChallengeDeps, "seal" | "now" | "random">,
  userHandle: string | null = null,
): PasskeyChallenge {
  const challenge = Buffer.from(deps.random(CHALLENGE_BYTES)).toString("base64url");
  const sealed: Sealed = { of, challenge, userHandle, expiresAt: deps.now() + PASSKEY_CHALLENGE_SECONDS };
  return { challenge, sealed: deps.seal.seal(SEAL_PURPOSE, JSON.stringify(sealed)) };
}

/**
 * Spends a challenge that came back in a form: each one is good for one response, right or wrong. Undefined if it is
 * altered, expired, spent, or was made for another purpose, browser or user. WA-05.
 */
export async function spendChallenge(
  field: string,
  expected: ChallengeBinding,
  deps: Omit<ChallengeDeps, "random">,
): Promise<{ challenge: string; userHandle: string | null } | undefined> {
  const opened = deps.seal.open(SEAL_PURPOSE, field);
  if (opened === undefined) return undefined;
  // Sealed by this server, so the shape is known
  const { of, challenge, userHandle, expiresAt }: Sealed = JSON.parse(opened);
  const matches = of.purpose === expected.purpose && of.browser === expected.browser && of.userId === expected.userId;
  if (!matches || deps.now() >= expiresAt) return undefined;
  return (await deps.store.spendOnce(sha256(`${SEAL_PURPOSE} ${challenge}`), expiresAt))
    ? { challenge, userHandle }
    : undefined;
}
