import type { NoticeData } from "../notice-data.ts";

/** Each kind with the data of its template, in packages/mail/src/templates/passkeys.ts. */
export type PasskeyMails = {
  /** SN-04. */
  passkey_added: NoticeData;
  passkey_removed: NoticeData;
  /** A passkey that is not synced was used with a counter that did not rise. WA-08. */
  passkey_cloned: NoticeData;
};
