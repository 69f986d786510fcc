import type { MailItem } from "@/trpc/types.ts";

/** The kinds that are not their own words. */
const KINDS: Readonly<Record<string, string>> = {
  sign_up_code: "Sign-up code",
  sign_up_taken: "Sign-up with a known address",
  verify_email: "Email verification",
  email_change_confirm: "Email change: confirmation",
  email_change_notice: "Email change: notice",
  reset_link: "Password reset link",
  no_password: "Reset without a password",
  passkey_cloned: "Passkey may be copied",
  totp_on: "Authenticator app added",
  totp_off: "Authenticator app removed",
  recovery_codes_made: "New recovery codes",
  new_sign_in: "New sign-in",
  sign_in_code: "Sign-in code",
  new_browser_code: "Code for a new browser",
  identity_linked: "Account connected",
  identity_removed: "Account disconnected",
};

/** `password_changed` as "Password changed". */
export function kindInWords(kind: string): string {
  const known = KINDS[kind];
  if (known !== undefined) return known;
  const words = kind.replaceAll("_", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

export const MAIL_STATE_WORDS: Record<MailItem["state"], string> = {
  queued: "Waiting",
  sent: "Sent",
  failed: "Failed",
  expired: "Expired",
  dropped: "Not sent",
};

const REASONS: Readonly<Record<string, string>> = {
  no_account: "No account with this address",
  limit_recipient: "Too many mails to this address",
  limit_burst: "Hourly limit of all mails reached",
};

/** Why a mail was not sent, or what the SMTP server answered instead of taking it. */
export function answerInWords({ state, answer }: Pick<MailItem, "state" | "answer">): string | undefined {
  if (state === "expired") return "Its link was no longer valid";
  if (state === "sent") return undefined;
  return answer === null ? undefined : (REASONS[answer] ?? answer);
}
