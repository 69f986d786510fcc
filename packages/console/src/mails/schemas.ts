import { MAIL_STATES } from "@gatehouse/accounts/mail-states";
import { z } from "zod";
import { at } from "../fields.ts";

const row = { id: z.string(), kind: z.string(), recipient: z.string(), state: z.enum(MAIL_STATES), createdAt: at };

/** A mail of the outbox, without what it says. */
export const mailView = z.object({
  ...row,
  userId: z.string().nullable(),
  locale: z.string(),
  attempts: z.int(),
  /** The SMTP server's last answer, or why it was not sent. */
  answer: z.string().nullable(),
  expiresAt: at.nullable(),
  sentAt: at.nullable(),
  canRetry: z.boolean(),
});

export const mailStatusView = z.object({
  delivery: z.enum(["smtp", "mailbox", "off"]),
  /** While the hourly limit of all mails is reached: seconds until mails are sent again. */
  burstSeconds: z.int(),
  /** While the SMTP server takes no mail. */
  trouble: z.object({ since: at, mails: z.int(), answer: z.string().nullable() }).nullable(),
});

/** A mail of the mailbox, in its list. */
export const mailboxItem = z.object({
  ...row,
  subject: z.string(),
  link: z.string().nullable(),
  code: z.string().nullable(),
});

export const mailboxMail = mailboxItem.extend({ locale: z.string(), text: z.string(), html: z.string() });
