import type { EmailSignInMails } from "./kinds/email-sign-in.ts";
import type { PasskeyMails } from "./kinds/passkeys.ts";
import type { PasswordMails } from "./kinds/passwords.ts";
import type { PeopleMails } from "./kinds/people.ts";
import type { RegistrationMails } from "./kinds/registration.ts";
import type { SecondFactorMails } from "./kinds/second-factors.ts";
import type { UpstreamMails } from "./kinds/upstream.ts";

/**
 * Every kind of mail with the data of its template. Each family has a file in `kinds/`, and its templates in
 * `packages/mail`.
 */
export type MailKinds = RegistrationMails &
  PasswordMails &
  PasskeyMails &
  SecondFactorMails &
  EmailSignInMails &
  UpstreamMails &
  PeopleMails;

export type MailKind = keyof MailKinds;

/** Kinds that anybody can cause by typing somebody else's address. `composeRequested` limits them. AB-07. */
export type RequestedKind = Extract<
  MailKind,
  | "sign_up_code"
  | "sign_up_taken"
  | "verify_email"
  | "email_change_confirm"
  | "reset_link"
  | "no_password"
  | "sign_in_code"
  | "new_browser_code"
>;

/**
 * Kinds that follow from what the account's own user or an admin did. To the verified owner of an account they are
 * never limited (SN-04). A reset is both: strangers can request one, and undoing a change of address starts one.
 */
export type OwnKind = Exclude<MailKind, RequestedKind> | "reset_link" | "no_password";
