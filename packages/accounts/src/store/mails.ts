import type { MailKind } from "../mails/kinds.ts";

/** A mail to be saved with its cause. */
export type NewMail = {
  /** Time-ordered. */
  id: string;
  kind: MailKind;
  recipient: string;
  userId: string | null;
  locale: string;
  /** What its template needs, sealed. */
  payload: string;
  /** Unix seconds. */
  expiresAt: number | null;
  createdAt: number;
};
