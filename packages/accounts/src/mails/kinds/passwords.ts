import type { NoticeData } from "../notice-data.ts";

/** Each kind with the data of its template, in packages/mail/src/templates/passwords.ts. */
export type PasswordMails = {
  /** FP-01. */
  reset_link: { link: string };
  /**
   * To an account that has passkeys and no password. `link` sets one with a recovery code; null without recovery codes.
   * FP-07.
   */
  no_password: { link: string | null };
  password_changed: NoticeData;
  password_reset: NoticeData;
  /** To sign in with the password in a browser that is not known, after many failures. AB-03. */
  new_browser_code: { code: string };
};
