import type { NoticeData } from "../notice-data.ts";

/** Each kind with the data of its template, in packages/mail/src/templates/second-factors.ts. */
export type SecondFactorMails = {
  totp_on: NoticeData;
  totp_off: NoticeData;
  recovery_codes_made: NoticeData;
  /** `left`: the number of unused codes. */
  recovery_code_used: NoticeData & { left: number };
  /** From a browser that has not signed in to the account before. */
  new_sign_in: NoticeData;
};
