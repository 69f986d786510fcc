import type { MailComposer } from "@gatehouse/accounts";
import type { Random, Seal } from "@gatehouse/auth";
import type { Outbox } from "@gatehouse/console/mails/mails";
import type { Database } from "@gatehouse/db/database";
import type { Handle } from "@gatehouse/db/query/handle";
import { findMailedToken } from "@gatehouse/db/stores/accounts/mailed-tokens";
import { createRateLimiter } from "@gatehouse/db/stores/rate-limits/rate-limiter";
import {
  announceMail,
  createMailComposer,
  createMailLimits,
  createSmtp,
  type Delivery,
  mailQueue,
  type Presentation,
  readMail,
  type Smtp,
  SmtpError,
} from "@gatehouse/mail";
import type { Log, Queue } from "@gatehouse/work/jobs";
import type { MailSettings } from "./mail-settings.ts";

type MailDeps = {
  database: Pick<Database, "engine">;
  /** For the outbox. */
  background: Handle;
  presentation: Presentation;
  now: () => number;
  random: Random;
  seal: Seal;
  log: Log;
  /** Writes a line to the terminal. */
  print: (line: string) => void;
};

export type Mail = {
  composer: MailComposer;
  queue: Queue;
  outbox: Outbox;
};

/** Builds what composes mails and what delivers them. */
export function createMail({ delivery, burst }: MailSettings, deps: MailDeps): Mail {
  const { database, background: handle, presentation, now, random, seal, log } = deps;
  const limits = createMailLimits((limit) => createRateLimiter(database, limit), burst);
  const smtp = delivery.kind === "smtp" ? createSmtp(delivery.server, delivery.from) : undefined;
  const people = { findMailedToken: (hash: Parameters<typeof findMailedToken>[1]) => findMailedToken(handle, hash) };
  return {
    composer: createMailComposer({ now, random, seal, limits, available: delivery.kind !== "off" }),
    queue: mailQueue({ handle, people, limits, seal, now, presentation, log, delivery: deliveryOf(delivery, smtp, deps) }),
    outbox: {
      delivery: delivery.kind,
      burstSeconds: limits.burstSeconds,
      ...(smtp && { tryServer: () => answerOf(smtp) }),
      read: (row) => readMail(row, { seal, presentation }),
    },
  };
}

/** Null if the server takes mail. */
async function answerOf(smtp: Smtp): Promise<string | null> {
  try {
    await smtp.verify();
    return null;
  } catch (error) {
    if (error instanceof SmtpError) return error.answer;
    throw error;
  }
}

function deliveryOf({ kind }: MailSettings["delivery"], smtp: Smtp | undefined, { print }: Pick<MailDeps, "print">): Delivery | undefined {
  if (smtp) return { kind: "smtp", smtp };
  return kind === "mailbox" ? { kind: "mailbox", tell: (mail, content) => print(announceMail(mail, content)) } : undefined;
}
