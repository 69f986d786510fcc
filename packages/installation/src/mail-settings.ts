import { readSender, readSmtpUrl, type Sender, type SmtpServer } from "@gatehouse/mail";
import { z } from "zod";

/** The variables of mail. EM-01, AB-07. */
export const mailVariables = {
  GATEHOUSE_SMTP_URL: z.string().transform(readWith(readSmtpUrl)).optional(),
  GATEHOUSE_MAIL_FROM: z.string().transform(readWith(readSender)).optional(),
  GATEHOUSE_MAIL_BURST: z.coerce.number("must be a number of mails").int().min(1).max(1_000_000).default(200),
};

/** Where mail goes: `off` on https without an SMTP server. EM-02. */
export type MailSettings = {
  delivery: { kind: "smtp"; server: SmtpServer; from: Sender } | { kind: "mailbox" } | { kind: "off" };
  /** How many mails anybody can cause in an hour, all together. */
  burst: number;
};

type Given = z.output<z.ZodObject<typeof mailVariables>>;

/** Throws an error that names the variable. */
export function mailSettings(
  { GATEHOUSE_SMTP_URL: server, GATEHOUSE_MAIL_FROM: from, GATEHOUSE_MAIL_BURST: burst }: Given,
  issuer: string,
): MailSettings {
  if (!server) return { delivery: { kind: issuer.startsWith("http:") ? "mailbox" : "off" }, burst }; // settings allow http on loopback only
  if (!from)
    throw new Error(
      "GATEHOUSE_MAIL_FROM must be set with GATEHOUSE_SMTP_URL: the sender of every mail, like Example <no-reply@example.com>",
    );
  return { delivery: { kind: "smtp", server, from }, burst };
}

/** A zod transform with a reader that throws what to change. */
function readWith<Value>(read: (text: string) => Value) {
  return (text: string, context: z.RefinementCtx): Value => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  };
}
