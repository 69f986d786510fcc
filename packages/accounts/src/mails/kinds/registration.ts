import type { NoticeData } from "../notice-data.ts";

/** Each kind with the data of its template, in packages/mail/src/templates/registration.ts. */
export type RegistrationMails = {
  /** RG-03, to a free address. */
  sign_up_code: { code: string; link: string };
  /** RG-03, to the owner of the account. `link` leads to the sign-in page. */
  sign_up_taken: { link: string };
  /** RG-02. */
  verify_email: { code: string; link: string };
  /** RG-08. `inviter`: as `inviterName` returns it. */
  invitation: { link: string; inviter?: string | undefined };
  /** EA-02, to the new address. */
  email_change_confirm: { code: string; link: string };
  /** EA-02, to the old address at once. */
  email_change_notice: NoticeData;
  /** EA-03. `link` undoes the change; it goes to the old address only, if it was proved, and is null otherwise. */
  email_changed: NoticeData & { link: string | null };
  /** EA-03, to both addresses. */
  email_change_undone: NoticeData;
  /** RG-10. `deleteAfter` in Unix seconds; null if the account is gone already. `link` leads to the sign-in page. */
  account_deletion: NoticeData & { deleteAfter: number | null; link: string };
  account_restored: NoticeData;
};
