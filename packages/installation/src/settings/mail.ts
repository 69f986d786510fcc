import { readSender, readSmtpUrl, type Sender, type SmtpServer } from "@gatehouse/mail";
import { z } from "zod";
import { wrongSetting } from "./error.ts";
import { type SettingsTable, shapeOf, wholeNumber } from "./setting.ts";

/** Where mail goes: `off` on https without an SMTP server. EM-02. */
export type MailSettings = {
  delivery: { kind: "smtp"; server: SmtpServer; from: Sender } | { kind: "mailbox" } | { kind: "off" };
  /** The sender, also while there is no server. */
  sender: Sender | undefined;
  /** How many mails anybody can cause in an hour, all together. */
  burst: number;
};

const SERVER = {
  title: "Mail server",
  text: "Applies in all processes within seconds. While one is set, new users verify their address first, unless a setting says otherwise.",
};
const LIMITS = {
  title: "Limits",
  text: "Protect your sender’s reputation while somebody makes the server write mails.",
};
const burst = wholeNumber("mails", 1, 1_000_000);

/** EM-01, AB-07. */
export const MAIL = {
  GATEHOUSE_SMTP_URL: {
    secret: true,
    value: z.string().transform(readWith(readSmtpUrl)).optional(),
    docs: {
      default: "none",
      meaning:
        "the SMTP server for mail to users: `smtp://user:password@mail.example.com:587` (STARTTLS is required, " +
        "except on loopback) or `smtps://…`. Admins can set it in the console as well. Without it, mails stay in the " +
        "console while the issuer is http on loopback, and mail is off otherwise",
      example: "smtp://user:password@mail.example.com:587",
    },
    console: {
      section: "mail",
      group: SERVER,
      label: "SMTP server",
      about: "Takes the mails to your users. The password is stored encrypted and is never shown.",
      input: { kind: "smtp_server" },
      empty: "None",
      changeable: true,
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
      group: SERVER,
      label: "Sender",
      about: "Of every mail. Its domain has to be set up with the mail server.",
      input: { kind: "text", placeholder: "Example <no-reply@example.com>" },
      empty: "None",
      changeable: true,
      show: ({ mail: { sender } }) => (sender ? textOf(sender) : ""),
    },
  },
  GATEHOUSE_MAIL_BURST: {
    value: burst.value.default(200),
    docs: {
      default: "`200`",
      meaning:
        "how many mails strangers can cause in an hour, all together: sign-up codes, password resets, sign-in " +
        "codes. Security notices are not limited. Admins can change it in the console as well",
      example: "200",
    },
    console: {
      section: "mail",
      group: LIMITS,
      label: "Mails an hour",
      about: "How many mails strangers can cause in an hour, all together. Security notices don’t count.",
      input: burst.input,
      changeable: true,
      show: ({ mail }) => String(mail.burst),
    },
  },
} as const satisfies SettingsTable<{ mail: MailSettings }>;

export const mailVariables = shapeOf(MAIL);

type Given = z.output<z.ZodObject<typeof mailVariables>>;

/** Throws a SettingsError. */
export function mailSettings(
  { GATEHOUSE_SMTP_URL: server, GATEHOUSE_MAIL_FROM: from, GATEHOUSE_MAIL_BURST: mails }: Given,
  issuer: string,
): MailSettings {
  // An http issuer is on loopback, where mails are read in the console.
  if (!server)
    return { delivery: { kind: issuer.startsWith("http:") ? "mailbox" : "off" }, sender: from, burst: mails };
  if (!from)
    throw wrongSetting(
      "GATEHOUSE_MAIL_FROM",
      "must be set with GATEHOUSE_SMTP_URL: the sender of every mail, like Example <no-reply@example.com>",
    );
  return { delivery: { kind: "smtp", server, from }, sender: from, burst: mails };
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

/** Without the password. */
function addressOf({ tls, host, port, credentials }: SmtpServer): string {
  const user = credentials ? `${encodeURIComponent(credentials.user)}@` : "";
  return `${tls === "implicit" ? "smtps" : "smtp"}://${user}${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function textOf({ name, address }: Sender): string {
  return name ? `${name} <${address}>` : address;
}
