import { type Behaviour, startSmtpServer } from "@gatehouse/mail/testing/smtp-server";
import PostalMime from "postal-mime";

/** A mail as its recipient reads it. */
export type Letter = { subject: string; text: string; html: string; messageId: string; link: string; code: string };

const WAIT_MS = 25_000;

/** A real SMTP server, and the settings of a Gatehouse that sends its mail there. */
export async function startPostOffice() {
  const server = await startSmtpServer();
  const to = async (recipient: string): Promise<Letter[]> =>
    Promise.all(server.received.filter(({ recipients }) => recipients.includes(recipient)).map(({ raw }) => read(raw)));

  return {
    settings: {
      GATEHOUSE_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      GATEHOUSE_MAIL_FROM: "Gatehouse <no-reply@id.example>",
    },
    behave: (behaviour: Behaviour) => server.behave(behaviour),
    close: () => server.close(),
    /** All mails to this address, the oldest first. */
    to,
    /** Resolves with the mail to this address that comes after the first `seen`. */
    async next(recipient: string, seen = 0): Promise<Letter> {
      for (const started = Date.now(); Date.now() - started < WAIT_MS; ) {
        const letter = (await to(recipient))[seen];
        if (letter) return letter;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`no mail ${seen + 1} to ${recipient}`);
    },
  };
}

export type PostOffice = Awaited<ReturnType<typeof startPostOffice>>;

async function read(raw: string): Promise<Letter> {
  const { subject = "", text = "", html = "", messageId = "" } = await PostalMime.parse(raw);
  const link = /https?:\S+\?token=\S+/.exec(text)?.[0] ?? "";
  const code = /^ {4}(\d{8})$/m.exec(text)?.[1] ?? "";
  return { subject, text, html, messageId, link, code };
}
