import { consoleToken, dataOf, query } from "./trpc.ts";

/** A mail of an installation without an SMTP server. */
export type Mail = {
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  link: string | null;
  code: string | null;
};

type Row = { id: string; kind: string; recipient: string; state: string };

const NOT_SENT = new Set(["dropped", "expired"]);
const WAIT_MS = 20_000;

/** The mails of this server, as an admin reads them. */
export async function openMailbox(issuer: string) {
  const token = await consoleToken(issuer, "admin", "console:read");
  const list = async (recipient: string) =>
    dataOf<{ items: Row[] }>(await query(issuer, "mails.list", { recipient, limit: 100 }, token)).items;
  /** Undefined for a mail that is not to be sent. */
  async function read({ id, kind, recipient }: Row): Promise<Mail | undefined> {
    const answer = await query(issuer, "mails.message", { id }, token);
    return answer.status === 404
      ? undefined
      : { id, kind, recipient, ...dataOf<Pick<Mail, "subject" | "link" | "code">>(answer) };
  }
  async function to(recipient: string): Promise<Mail[]> {
    const mails = await Promise.all((await list(recipient)).map(read));
    return mails.filter((mail) => mail !== undefined);
  }

  return {
    /** All mails to this address, the newest first. */
    to,

    /** Resolves with the newest mail of this kind to the address, once there is one that `seen` does not contain. */
    async next(recipient: string, kind: string, seen: readonly Mail[] = []): Promise<Mail> {
      for (const started = Date.now(); Date.now() - started < WAIT_MS; ) {
        for (const row of await list(recipient)) {
          if (row.kind !== kind || NOT_SENT.has(row.state) || seen.some(({ id }) => id === row.id)) continue;
          const mail = await read(row);
          if (mail) return mail;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const others = (await to(recipient)).map((mail) => mail.kind);
      throw new Error(`no mail ${kind} to ${recipient}; mails to it: ${others.join(", ") || "none"}`);
    },
  };
}
