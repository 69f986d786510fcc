import { consoleToken, dataOf, query } from "./trpc.ts";

/** A mail in the mailbox of an installation without an SMTP server. */
export type Mail = {
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  link: string | null;
  code: string | null;
};

const WAIT_MS = 20_000;

/** The mailbox of this server, as an admin reads it. */
export async function openMailbox(issuer: string) {
  const token = await consoleToken(issuer, "admin", "console:read");
  const all = async () => dataOf<Mail[]>(await query(issuer, "mails.mailbox", undefined, token));

  return {
    /** All mails to this address, the newest first. */
    to: async (recipient: string) => (await all()).filter((mail) => mail.recipient === recipient),

    /** Resolves with the newest mail of this kind to the address, once there is one that `seen` does not contain. */
    async next(recipient: string, kind: string, seen: readonly Mail[] = []): Promise<Mail> {
      for (const started = Date.now(); Date.now() - started < WAIT_MS; ) {
        const mail = (await all()).find(
          (one) => one.recipient === recipient && one.kind === kind && !seen.some(({ id }) => id === one.id),
        );
        if (mail) return mail;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const others = (await all()).filter((mail) => mail.recipient === recipient).map((mail) => mail.kind);
      throw new Error(`no mail ${kind} to ${recipient}; mails to it: ${others.join(", ") || "none"}`);
    },
  };
}
