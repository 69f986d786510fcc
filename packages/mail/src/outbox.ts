import { isMailedTokenLive, type MailedTokenStore } from "@gatehouse/accounts";
import type { Hash, Seal } from "@gatehouse/auth";
import type { Db } from "@gatehouse/db/query/db";
import type { Job } from "@gatehouse/db/stores/jobs/job-outcomes";
import {
  findMail,
  type MailEnd,
  type MailJob,
  type MailRow,
  mailEnd,
  recordMailAttempt,
} from "@gatehouse/db/stores/jobs/mails";
import { JobFailure, type Log, type Queue, steps } from "@gatehouse/work/jobs";
import type { MailLimits } from "./limits.ts";
import { type OpenedMail, openPayload, type Payload, type Presentation, renderMail } from "./render.ts";
import { type Smtp, SmtpError } from "./smtp.ts";

/** Where mails go: to an SMTP server, or nowhere but into the console, which keeps them whole. */
export type Delivery =
  | { kind: "smtp"; smtp: Smtp }
  | { kind: "mailbox"; tell: (mail: MailRow, content: OpenedMail) => void };

export type OutboxDeps = {
  db: Db;
  people: Pick<MailedTokenStore, "findMailedToken">;
  limits: Pick<MailLimits, "holdNoticeBack">;
  seal: Seal;
  now: () => number;
  presentation: Presentation;
  log: Log;
  /** Where mails go now; undefined while mail is off. Asked for each mail: admins can change it at any time. */
  delivery: () => Promise<Delivery | undefined>;
};

/** Seconds to wait after each failed attempt, about two and a half hours in all; then the mail has failed. EM-03. */
const RETRIES = [10, 60, 300, 1800, 7200] as const;
const ATTEMPTS = RETRIES.length + 1;
const NOT_SENT = "Gatehouse failed at each attempt; its log says why";

/**
 * Sends mails, each in a job of its own, so that one that cannot be delivered delays no other. A mail can be sent twice
 * if the process or the connection dies after the server took it; both have the same Message-ID. EM-03.
 */
export function mailQueue(deps: OutboxDeps): Queue {
  return {
    async run(job, { signal, fence }) {
      const mail = await findMail(deps.db, (job.payload as MailJob).mailId);
      if (mail?.state !== "queued") return;
      const end = await deliver(mail, job, signal, deps);
      await deps.db.guarded(fence(), [mailEnd(deps.db, mail.id, { ...end, attempts: job.attempts })]);
    },
    concurrency: 5,
    timeoutSeconds: 60,
    maxAttempts: ATTEMPTS,
    backoff: steps(RETRIES),
    whenBuried: ({ payload, attempts }) => [
      mailEnd(deps.db, (payload as MailJob).mailId, {
        state: "failed",
        answer: NOT_SENT,
        attempts,
        at: deps.now(),
        wipe: false,
      }),
    ],
  };
}

/** Sends a mail, and returns how it ended. Rejects if it is to be tried again. */
async function deliver(
  mail: MailRow,
  job: Job,
  signal: AbortSignal,
  deps: OutboxDeps,
): Promise<Omit<MailEnd, "attempts">> {
  const at = deps.now();
  const payload = openPayload(mail, deps.seal);
  if (!payload) return { state: "failed", answer: "sealed under another secret", at, wipe: true };
  if (payload.drop !== undefined) return { state: "dropped", answer: payload.drop, at, wipe: true };
  if (mail.expiresAt !== null && mail.expiresAt <= at) return { state: "expired", answer: null, at, wipe: true };
  if (payload.token && !(await isStillWanted(payload.token, deps)))
    return { state: "expired", answer: null, at, wipe: true };
  // Otherwise a stranger could sign up with an address, and have its owner mailed about each of many sign-ins. AB-07.
  const heldBack = payload.limited && job.attempts === 1 ? await deps.limits.holdNoticeBack(mail.recipient) : undefined;
  if (heldBack) return { state: "dropped", answer: heldBack, at, wipe: true };

  const content = written(mail, payload, deps);
  if (!content) return { state: "failed", answer: "it could not be written", at, wipe: false };
  const delivery = await deps.delivery();
  if (delivery?.kind === "mailbox") {
    delivery.tell(mail, content);
    return { state: "sent", answer: null, at, wipe: false };
  }
  try {
    // Waits like any other mail: a server may be set again before the last attempt.
    if (!delivery) throw new SmtpError("no mail server is set", { permanent: false });
    const message = { ...content, id: mail.id, to: mail.recipient, date: mail.createdAt };
    const answer = await delivery.smtp.send(message, signal);
    return { state: "sent", answer, at: deps.now(), wipe: true };
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error;
    if (error.permanent || job.attempts >= ATTEMPTS)
      return { state: "failed", answer: error.answer, at: deps.now(), wipe: false };
    await recordMailAttempt(deps.db, mail.id, { attempts: job.attempts, answer: error.answer });
    // Without its cause: the server's answer can name the recipient, and this is logged.
    throw new JobFailure(error.message, { retryInSeconds: RETRIES[job.attempts - 1] ?? RETRIES[0] });
  }
}

/** Undefined for a payload that its template cannot use, such as one from before an update. */
function written(mail: MailRow, payload: Payload, { presentation, log }: OutboxDeps): OpenedMail | undefined {
  try {
    return renderMail(mail, payload, presentation);
  } catch (error) {
    log.error({ err: error, mail: mail.id, kind: mail.kind }, "a mail could not be written");
    return undefined;
  }
}

async function isStillWanted(token: Hash, { people, now }: OutboxDeps): Promise<boolean> {
  const found = await people.findMailedToken(token);
  return found !== undefined && isMailedTokenLive(found, now());
}
