import { readSender, readSmtpUrl, type Sender, type SmtpServer } from "@gatehouse/mail";
import { z } from "zod";
import { type SettingsTable, shapeOf, TEXT } from "./setting.ts";

/** Where mail goes: `off` on https without an SMTP server. EM-02. */
export type MailSettings = {
  delivery: { kind: "smtp"; server: SmtpServer; from: Sender } | { kind: "mailbox" } | { kind: "off" };
  /** How many mails anybody can cause in an hour, all together. */
  burst: number;
};

const DELIVERY = { title: "Delivery", text: "Set in the environment, and in force after a restart." };

/** EM-01, AB-07. */
export const MAIL = {
  GATEHOUSE_SMTP_URL: {
    value: z.string().transform(readWith(readSmtpUrl)).optional(),
    docs: {
      default: "none",
      meaning:
        "the SMTP server for mail to users: `smtp://user:password@mail.example.com:587` (STARTTLS is required, " +
        "except on loopback) or `smtps://…`. Without it, mail goes to the console's mailbox while the issuer is " +
        "http on loopback, and is off otherwise",
      example: "smtp://user:password@mail.example.com:587",
    },
    console: {
      section: "mail",
      group: DELIVERY,
      label: "SMTP server",
      about: "Shown without its user and password.",
      input: TEXT,
      empty: "None",
      show: ({ mail: { delivery } }) => (delivery.kind === "smtp" ? addressOf(delivery.server) : ""),
    },
  },
  GATEHOUSE_MAIL_FROM: {
    value: z.string().transform(readWith(readSender)).optional(),
    docs: {
      default: "required with `GATEHOUSE_SMTP_URL`",
      meaning: "the sender of every mail: `Example <no-reply@example.com>`",
      example: "Example <no-reply@example.com>",
    },
    console: {
      section: "mail",
      group: DELIVERY,
      label: "Sender",
      about: "Of every mail.",
      input: TEXT,
      empty: "None",
      show: ({ mail: { delivery } }) => (delivery.kind === "smtp" ? textOf(delivery.from) : ""),
    },
  },
  GATEHOUSE_MAIL_BURST: {
    value: z.coerce.number("must be a number of mails").int().min(1).max(1_000_000).default(200),
    docs: {
      default: "`200`",
      meaning:
        "how many mails strangers can cause in an hour, all together: sign-up codes, password resets, sign-in " +
        "codes. Security notices are not limited",
      example: "200",
    },
    console: {
      section: "mail",
      group: DELIVERY,
      label: "Mails an hour",
      about: "How many mails strangers can cause in an hour, all together. Security notices don’t count.",
      input: TEXT,
      show: ({ mail }) => String(mail.burst),
    },
  },
} as const satisfies SettingsTable<{ mail: MailSettings }>;

export const mailVariables = shapeOf(MAIL);

type Given = z.output<z.ZodObject<typeof mailVariables>>;

/** Throws an error that names the variable. */
export function mailSettings(
  { GATEHOUSE_SMTP_URL: server, GATEHOUSE_MAIL_FROM: from, GATEHOUSE_MAIL_BURST: burst }: Given,
  issuer: string,
): MailSettings {
  // An http issuer is on loopback, where mail goes to the console's mailbox.
  if (!server) return { delivery: { kind: issuer.startsWith("http:") ? "mailbox" : "off" }, burst };
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

/** Without user and password. */
function addressOf({ tls, host, port }: SmtpServer): string {
  return `${tls === "implicit" ? "smtps" : "smtp"}://${host}:${port}`;
}

function textOf({ name, address }: Sender): string {
  return name ? `${name} <${address}>` : address;
}
