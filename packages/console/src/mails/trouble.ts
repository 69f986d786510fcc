import type { MailRow } from "@gatehouse/db/stores/jobs/mails";
import type { OperationDeps } from "../deps.ts";
import { listNewestMails } from "./queries.ts";

/** As long as attempts can take, and a night. */
const LOOK_BACK_SECONDS = 86_400;
/** More mails than anybody needs to see that none of them arrives. */
const NEWEST = 200;
/** A server that answers "later" to one mail is not in trouble: greylisting, RFC 6647. */
const ATTEMPTS_OF_ONE = 3;
/** A mail that failed before was refused for good: a wrong address, not a wrong server. */
const ALL_ATTEMPTS = 6;

/** `since`: when the first mail that waits was written. `answer`: what the SMTP server said last. */
export type MailTrouble = { since: number; mails: number; answer: string | null };

/**
 * Whether the SMTP server takes no mail: two mails, or one mail three times, were not taken since the last one that
 * was. Null once a mail arrives, and a day after the last attempt. EM-03.
 */
export async function findMailTrouble({
  reads,
  now,
}: Pick<OperationDeps, "reads" | "now">): Promise<MailTrouble | null> {
  return troubleIn(await listNewestMails(reads, now() - LOOK_BACK_SECONDS, NEWEST));
}

/** `mails`: the newest first. */
export function troubleIn(
  mails: readonly Pick<MailRow, "state" | "attempts" | "createdAt" | "sentAt" | "answer">[],
): MailTrouble | null {
  const lastSentAt = Math.max(0, ...mails.map(({ sentAt }) => sentAt ?? 0));
  const waiting = mails.filter(({ createdAt, ...mail }) => createdAt >= lastSentAt && wasNotTaken(mail));
  const [newest] = waiting;
  if (!newest || (waiting.length === 1 && newest.attempts < ATTEMPTS_OF_ONE)) return null;
  return { since: waiting.at(-1)?.createdAt ?? newest.createdAt, mails: waiting.length, answer: newest.answer };
}

function wasNotTaken({ state, attempts }: Pick<MailRow, "state" | "attempts">): boolean {
  return (state === "queued" && attempts > 0) || (state === "failed" && attempts >= ALL_ATTEMPTS);
}
