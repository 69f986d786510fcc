import type { SignInCause } from "./causes.ts";

/** Who can do something about a sign-in that did not succeed. */
export type SignInActor = "user" | "admin" | "operator" | "nobody";

/** What the console and `gatehouse why` say about a cause. The person at the sign-in page is told less. */
export type SignInCauseRow = { explanation: string; howToFix: string; actor: SignInActor };

const row = (explanation: string, howToFix: string, actor: SignInActor): SignInCauseRow => {
  return { explanation, howToFix, actor };
};

/** Every cause of the sign-in log; one without a row does not compile. SL-01. */
// biome-ignore format: one row, one line
export const SIGN_IN_CAUSE_TABLE: Record<SignInCause, SignInCauseRow> = {
  // who
  unknown_address: row("No account has this email address.", "Compare the address with the account's. The person may have signed up with another one.", "user"),
  account_disabled: row("What was proved was right, but the account is disabled.", "Enable the account on the user's page.", "admin"),
  account_changed: row("The account was changed, disabled or deleted while the sign-in was under way.", "Sign in again.", "user"),
  // how often
  too_many_attempts: row("A limit on failed attempts was reached, so nothing was checked.", "Wait until the limit ends, at most 15 minutes for a password; or sign in with a passkey or a mailed code.", "user"),
  browser_unknown: row("After many wrong passwords, a browser that the account does not know has to enter a mailed code before a password is checked.", "Enter the code that the page mails, or use a browser that has signed in before.", "user"),
  server_busy: row("Too many passwords were being checked at once, so this one was not.", "Try again. If it happens often, give the server more cores.", "operator"),
  // a password
  wrong_password: row("The account exists; the password is another one.", "Type it again, or reset it.", "user"),
  no_password: row("The account has no password: it signs in with a passkey, a mailed code or a provider.", "Use one of the ways on the user's page, or set a password by \"Forgot your password?\".", "user"),
  // a mailed code
  code_not_sent: row("No such code was mailed to this address, or it was so long ago that it is forgotten.", "Ask for a new code.", "user"),
  code_expired: row("The mailed code was too old.", "Ask for a new code, and type it within its ten minutes.", "user"),
  code_used: row("The mailed code or link has been used. It works once; some mail filters open links.", "Ask for a new code.", "user"),
  code_ended: row("The account changed after the code was mailed: its address or password, or it was disabled.", "Ask for a new code.", "user"),
  code_of_other_browser: row("The code or link was opened in another browser than the one that asked for it.", "Type the code in the browser that asked for it.", "user"),
  code_tries_used: row("The code was typed wrongly five times.", "Ask for a new code.", "user"),
  wrong_code: row("The typed code is not the one in the newest mail.", "Use the code of the newest mail.", "user"),
  // a passkey
  passkey_unknown: row("No account has this passkey. It was probably removed from the account, but not from the device.", "Sign in in another way and add a new passkey.", "user"),
  passkey_expired: row("The page was open too long, or its form was sent twice.", "Reload the sign-in page.", "user"),
  passkey_rejected: row("The passkey's answer does not verify: wrong signature, site or device, or its user was not verified.", "Try again; check that the passkey was made for this address of the server.", "user"),
  passkey_cloned: row("The passkey's counter did not rise, as after a copy. It was refused, and its owner told.", "Remove the passkey on the user's page, and look at the user's activity.", "admin"),
  passkey_unreadable: row("What the browser sent is not the answer of a passkey.", "Try another browser.", "user"),
  passkey_not_given: row("The browser asked for a passkey and got none: the person cancelled or waited too long, or the device has no passkey for this server.", "Sign in in another way, or with the device that has the passkey; then add one on this device.", "user"),
  passkeys_off: row("Passkeys are switched off on this server.", "Sign in in another way.", "user"),
  // the second step
  second_step_unfinished: row("The first factor was right; the second step was not completed.", "Nothing, if the person gave up. If nobody knows about it, somebody has the password: reset it.", "user"),
  totp_wrong: row("The code of the authenticator app is wrong.", "Use the entry of this account in the app, and the code that it shows now.", "user"),
  totp_used: row("The code of the authenticator app has been used. Each works once.", "Wait for the next code.", "user"),
  totp_clock: row("The code would be right at another time: the clock of the phone is off.", "Set the phone's time automatically.", "user"),
  no_totp: row("A code was typed, but the account has no authenticator app.", "Use a recovery code, a security key or a passkey.", "user"),
  wrong_recovery_code: row("The account has no such recovery code, or it has been used: each works once.", "Use an unused one of the newest list.", "user"),
  security_key_refused: row("The security key or passkey of the second step does not verify.", "Use the key that was added to this account.", "user"),
  // what comes before a session
  password_change_unfinished: row("The sign-in was right, but the password has to be replaced first: somebody else chose it, or it is known from a breach.", "Choose a new password on the page that follows the sign-in.", "user"),
  restore_unfinished: row("The sign-in was right, but the account is to be deleted, and was not restored.", "Press the button of the page that follows the sign-in, if the account should stay.", "user"),
  // a provider
  provider_denied: row("The user cancelled at the provider, or the provider refused.", "Try again. If the provider refuses everybody, check its settings.", "user"),
  provider_unreachable: row("The provider gave no usable answer.", "Try again later; `gatehouse doctor` shows whether the server reaches it.", "operator"),
  provider_refuses_us: row("The provider does not accept our client id, secret or redirect URI.", "Compare them with the provider's own page.", "admin"),
  provider_misconfigured: row("The provider is not set up completely, or was switched off meanwhile.", "Complete its settings in the console.", "admin"),
  provider_answer_invalid: row("The provider's answer is forged, replayed, or not valid in another way.", "Try again. If it happens to everybody, compare the issuer and the keys in the provider's settings.", "admin"),
  provider_sign_in_too_old: row("A new sign-in was asked for, and the provider did not confirm one.", "Sign out at the provider first.", "user"),
  provider_tenant: row("The user belongs to a tenant that is not listed in the provider's settings.", "Add the tenant, if its users should get in.", "admin"),
  provider_other_domain: row("The provider is bound to domains, and the address is of another one.", "Add the domain to the provider, or use another way to sign in.", "admin"),
  provider_other_provider: row("The address belongs to a domain whose users sign in at another provider.", "Sign in there.", "user"),
  provider_email_unverified: row("The provider does not say that the address is verified, so it proves no account.", "Verify the address at the provider.", "user"),
  provider_no_account: row("Nobody has this identity or address here, and new accounts are not made in this way.", "Invite the person, or allow sign-up in the provider's settings.", "admin"),
};
