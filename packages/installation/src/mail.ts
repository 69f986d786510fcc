import type { MailComposer } from "@gatehouse/accounts";
import type { Random, Seal } from "@gatehouse/auth";
import type { Outbox } from "@gatehouse/console/mails/outbox";
import type { Database } from "@gatehouse/db/database";
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
import type { LiveSettings } from "./settings/live.ts";
import type { MailSettings } from "./settings/mail.ts";

type MailDeps = {
  database: Pick<Database, "engine" | "background">;
  settings: Pick<LiveSettings, "current">;
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
export function createMail(deps: MailDeps): Mail {
  const { database, settings, now, random, seal, log } = deps;
  const { delivery, burst } = settings.current.mail;
  const db = database.background;
  const presentation = presentationOf(settings);
  const limits = createMailLimits((limit) => createRateLimiter(database, limit), burst);
  const smtp = delivery.kind === "smtp" ? createSmtp(delivery.server, delivery.from) : undefined;
  const people = { findMailedToken: (hash: Parameters<typeof findMailedToken>[1]) => findMailedToken(db, hash) };
  return {
    composer: createMailComposer({ now, random, seal, limits, available: delivery.kind !== "off" }),
    queue: mailQueue({ db, people, limits, seal, now, presentation, log, delivery: deliveryOf(delivery, smtp, deps) }),
    outbox: {
      delivery: delivery.kind,
      burstSeconds: limits.burstSeconds,
      ...(smtp && { tryServer: () => answerOf(smtp) }),
      read: (row) => readMail(row, { seal, presentation }),
    },
  };
}

/** How mails present the installation. Its name and looks follow the settings. */
function presentationOf(settings: Pick<LiveSettings, "current">): Presentation {
  return {
    get product() {
      return settings.current.productName;
    },
    get colour() {
      return settings.current.brand.colour;
    },
    get links() {
      const { termsUrl: terms, privacyUrl: privacy, supportUrl: support } = settings.current.brand;
      return { terms, privacy, support };
    },
    issuer: settings.current.config.issuer,
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

function deliveryOf(
  { kind }: MailSettings["delivery"],
  smtp: Smtp | undefined,
  { print }: Pick<MailDeps, "print">,
): Delivery | undefined {
  if (smtp) return { kind: "smtp", smtp };
  return kind === "mailbox"
    ? { kind: "mailbox", tell: (mail, content) => print(announceMail(mail, content)) }
    : undefined;
}
