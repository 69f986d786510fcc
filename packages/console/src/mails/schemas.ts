import { MAIL_STATES } from "@gatehouse/accounts/mail-states";
import { z } from "zod";
import { at } from "../fields.ts";

/** A mail of the outbox, without what it says. */
export const mailView = z.object({
  id: z.string(),
  kind: z.string(),
  recipient: z.string(),
  state: z.enum(MAIL_STATES),
  createdAt: at,
  userId: z.string().nullable(),
  locale: z.string(),
  attempts: z.int(),
  /** The SMTP server's last answer, or why it was not sent. */
  answer: z.string().nullable(),
  /** What to do about that answer, if it is no success. */
  advice: z.string().nullable(),
  expiresAt: at.nullable(),
  sentAt: at.nullable(),
  canRetry: z.boolean(),
});

export const mailStatusView = z.object({
  delivery: z.enum(["smtp", "mailbox", "off"]),
  /** While the hourly limit of all mails is reached: seconds until mails are sent again. */
  burstSeconds: z.int(),
  /** While the SMTP server takes no mail. */
  trouble: z
    .object({ since: at, mails: z.int(), answer: z.string().nullable(), advice: z.string().nullable() })
    .nullable(),
});

/** A mail as its recipient would read it. */
export const mailContent = z.object({
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  link: z.string().nullable(),
  code: z.string().nullable(),
});
