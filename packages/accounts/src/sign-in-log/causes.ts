/**
 * The true causes of sign-ins that did not begin a session, as the sign-in log records them. The page says less. A new
 * check needs a new cause here and its row in `cause-table.ts`. Runs in the browser too. SL-01.
 */
export const SIGN_IN_CAUSES = [
  // who
  "unknown_address",
  "account_disabled",
  "account_changed",
  // how often
  "too_many_attempts",
  "browser_unknown",
  "server_busy",
  // a password
  "wrong_password",
  "no_password",
  // a mailed code
  "code_not_sent",
  "code_expired",
  "code_used",
  "code_ended",
  "code_of_other_browser",
  "code_tries_used",
  "wrong_code",
  // a passkey
  "passkey_unknown",
  "passkey_expired",
  "passkey_rejected",
  "passkey_cloned",
  "passkey_unreadable",
  "passkey_not_given",
  "passkeys_off",
  // the second step
  "second_step_unfinished",
  "totp_wrong",
  "totp_used",
  "totp_clock",
  "no_totp",
  "wrong_recovery_code",
  "security_key_refused",
  // what comes before a session
  "password_change_unfinished",
  "restore_unfinished",
  // a provider
  "provider_denied",
  "provider_unreachable",
  "provider_refuses_us",
  "provider_misconfigured",
  "provider_answer_invalid",
  "provider_sign_in_too_old",
  "provider_tenant",
  "provider_other_domain",
  "provider_other_provider",
  "provider_email_unverified",
  "provider_no_account",
] as const;

export type SignInCause = (typeof SIGN_IN_CAUSES)[number];

/** What is right so far, and goes on at another page. */
const UNFINISHED: ReadonlySet<SignInCause> = new Set([
  "second_step_unfinished",
  "password_change_unfinished",
  "restore_unfinished",
]);

/**
 * How a sign-in ended. `unfinished`: what was proved is right, and something is, or stayed, to be done before there is
 * a session.
 */
export const SIGN_IN_OUTCOMES = ["signed_in", "unfinished", "failed"] as const;
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];

/** Null is the cause of one that began a session. */
export function outcomeOf(cause: SignInCause | null): SignInOutcome {
  if (cause === null) return "signed_in";
  return UNFINISHED.has(cause) ? "unfinished" : "failed";
}
