import { tracing } from "@gatehouse/runtime/tracing";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { RenderedMail } from "./frame.tsx";
import { assertHeaderText } from "./render.ts";
import type { Sender, SmtpServer } from "./smtp-url.ts";

/** A mail on its way to one recipient. */
export type OutgoingMail = RenderedMail & {
  /** Makes the Message-ID, so that a mail which is sent twice can be recognised. */
  id: string;
  to: string;
  locale: string;
  /** Unix seconds. */
  date: number;
};

export type Smtp = {
  /** Returns the server's answer. Rejects with {@link SmtpError}. Aborting closes the connection. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<string>;
  /** Connects and signs in. Rejects with {@link SmtpError}. */
  verify(): Promise<void>;
};

/** Why a mail was not taken. `answer` is the server's, or says what happened instead. */
export class SmtpError extends Error {
  override readonly name = "SmtpError";
  /** The server refused this mail for good, so that trying again is useless. RFC 5321 §4.2.1. */
  readonly permanent: boolean;
  readonly answer: string;

  constructor(answer: string, { permanent, cause }: { permanent: boolean; cause?: unknown }) {
    super("the SMTP server did not take the mail", { cause });
    this.permanent = permanent;
    this.answer = answer;
  }
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };
/** For a server that answers, but never finishes. Shorter than the job's own limit, so that the failure is recorded. */
const SEND_MS = 45_000;
const MAX_ANSWER = 500;

/** Sends over a new connection each time: mail is rare, and a broken connection then concerns one mail. */
export function createSmtp(server: SmtpServer, from: Sender): Smtp {
  const connection = () =>
    createTransport({
      host: server.host,
      port: server.port,
      secure: server.tls === "implicit",
      requireTLS: server.tls === "starttls",
      ignoreTLS: server.tls === "none",
      ...(server.credentials && { auth: { user: server.credentials.user, pass: server.credentials.password } }),
      disableFileAccess: true,
      disableUrlAccess: true,
      ...TIMEOUTS,
    });

  return {
    async send(mail, signal) {
      const message = messageOf(mail, from);
      const beganMs = performance.now();
      const trace = (failed = false) =>
        tracing.current?.worked("outbound", `SMTP ${server.host}`, beganMs, { "server.address": server.host }, failed);
      try {
        const { response } = await connection().sendMail({
          ...message,
          signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)]),
        });
        trace();
        return response.slice(0, MAX_ANSWER);
      } catch (error) {
        trace(true);
        throw asSmtpError(error);
      }
    },

    async verify() {
      try {
        await connection().verify();
      } catch (error) {
        throw asSmtpError(error);
      }
    },
  };
}

/** RFC 3834 §5: no vacation answers. The language is that of both parts (RFC 3282). */
function messageOf(mail: OutgoingMail, from: Sender): SendMailOptions {
  for (const value of [mail.subject, mail.to, mail.locale, from.name, from.address]) assertHeaderText(value);
  return {
    from,
    to: { name: "", address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: new Date(mail.date * 1000),
    messageId: `<${mail.id}@${from.address.split("@")[1]}>`,
    headers: { "Auto-Submitted": "auto-generated", "Content-Language": mail.locale, "X-Auto-Response-Suppress": "All" },
  };
}

/** Refusals of the sender, recipient or message. A refused sign-in is not one: the settings are wrong, not the mail. */
const ABOUT_THE_MAIL = new Set(["EENVELOPE", "EMESSAGE"]);

function asSmtpError(thrown: unknown): SmtpError {
  const { code, originalCode, response, responseCode, message } = thrown as {
    code?: string;
    /** Of the system or of TLS, such as ENOTFOUND, where `code` names the step that failed. */
    originalCode?: string;
    response?: string;
    responseCode?: number;
    message?: string;
  };
  const permanent = code !== undefined && ABOUT_THE_MAIL.has(code) && responseCode !== undefined && responseCode >= 500;
  const cause = originalCode ?? code;
  const answer = (response ?? `${cause === undefined ? "" : `${cause}: `}${message ?? "no answer"}`).slice(
    0,
    MAX_ANSWER,
  );
  return new SmtpError(answer, { permanent, cause: thrown });
}
