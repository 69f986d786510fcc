import type { SignIn, SignInCause } from "@/trpc/types.ts";

type Outcome = { label: string; tone: "good" | "soon" | "bad" };

/** How an attempt ended. */
export const OUTCOMES: Record<SignIn["outcome"], Outcome> = {
  signed_in: { label: "Signed in", tone: "good" },
  unfinished: { label: "Unfinished", tone: "soon" },
  failed: { label: "Failed", tone: "bad" },
};

/** What it was tried with. */
export const FACTORS: Record<SignIn["factor"], string> = {
  password: "Password",
  passkey: "Passkey",
  email_code: "Mailed code",
  sign_up: "Sign-up",
  invitation: "Invitation",
  upstream: "Provider",
  second_step: "Second step",
};

/** What the session proved. */
const LEVELS: Record<NonNullable<SignIn["level"]>, string> = {
  "urn:gatehouse:acr:email": "Mailed code",
  "urn:gatehouse:acr:password": "Password",
  "urn:gatehouse:acr:upstream": "Provider",
  "urn:gatehouse:acr:mfa": "Two factors",
  "urn:gatehouse:acr:phr": "Passkey",
};

export const levelWords = (level: NonNullable<SignIn["level"]>): string => LEVELS[level];

/** The causes in a few words, as lists and filters have them. */
export const CAUSES: Record<SignInCause, string> = {
  unknown_address: "Unknown address",
  account_disabled: "Account disabled",
  account_changed: "Account changed meanwhile",
  too_many_attempts: "Too many attempts",
  browser_unknown: "Mailed code needed first",
  server_busy: "Server busy",
  wrong_password: "Wrong password",
  no_password: "Account without a password",
  code_not_sent: "No code was asked for",
  code_expired: "Code expired",
  code_used: "Code used before",
  code_ended: "Code no longer valid",
  code_of_other_browser: "Code of another browser",
  code_tries_used: "Too many tries of a code",
  wrong_code: "Wrong code",
  passkey_unknown: "Unknown passkey",
  passkey_expired: "Passkey page too old",
  passkey_rejected: "Passkey refused",
  passkey_cloned: "Copied passkey",
  passkey_unreadable: "Passkey unreadable",
  passkey_not_given: "No passkey given",
  passkeys_off: "Passkeys off",
  second_step_unfinished: "Second step not taken",
  totp_wrong: "Wrong authenticator code",
  totp_used: "Authenticator code used before",
  totp_clock: "Phone’s clock is off",
  no_totp: "No authenticator app",
  wrong_recovery_code: "Wrong recovery code",
  security_key_refused: "Security key refused",
  password_change_unfinished: "Password not replaced",
  restore_unfinished: "Account not restored",
  provider_denied: "Refused at the provider",
  provider_unreachable: "Provider unreachable",
  provider_refuses_us: "Provider refuses our client",
  provider_misconfigured: "Provider not set up",
  provider_answer_invalid: "Invalid answer of the provider",
  provider_sign_in_too_old: "Old sign-in at the provider",
  provider_tenant: "Tenant not listed",
  provider_other_domain: "Domain not listed",
  provider_other_provider: "Address of another provider",
  provider_email_unverified: "Unverified at the provider",
  provider_no_account: "No account for the provider’s user",
};

/** Why, or how, the attempt ended. */
export const resultWords = ({ cause, outcome }: Pick<SignIn, "cause" | "outcome">): string =>
  cause === null ? OUTCOMES[outcome].label : CAUSES[cause];

/** Who acts, as it continues "Who acts: ". */
export const ACTORS: Record<NonNullable<SignIn["meaning"]>["actor"], string> = {
  user: "the user",
  admin: "an admin, here in the console",
  operator: "the operator of this server",
  nobody: "no one",
};
