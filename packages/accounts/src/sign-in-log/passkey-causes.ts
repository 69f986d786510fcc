import type { PasskeyProblem } from "../passkeys/authenticate.ts";
import type { SignInCause } from "./causes.ts";

/** What the log calls the problems of a passkey that should sign its user in. */
export const PASSKEY_CAUSES: Record<PasskeyProblem, SignInCause> = {
  off: "passkeys_off",
  malformed: "passkey_unreadable",
  challenge: "passkey_expired",
  unknown: "passkey_unknown",
  disabled: "account_disabled",
  owner: "passkey_rejected",
  rejected: "passkey_rejected",
  cloned: "passkey_cloned",
  gone: "passkey_unknown",
};
