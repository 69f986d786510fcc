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
  settings: Pick<LiveSettings, "current" | "load">;
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
  /** Whether there is an SMTP server, or mails are read in the console. Follows the settings. */
  readonly mailWorks: boolean;
};

/** Builds what composes mails and what delivers them. Where they go follows the settings. CO-69. */
export function createMail(deps: MailDeps): Mail {
  const { database, settings, now, random, seal, log } = deps;
  const db = database.background;
  const presentation = presentationOf(settings);
  const limits = createMailLimits(
    (limit) => createRateLimiter(database, limit),
    () => settings.current.mail.burst,
  );
  const people = { findMailedToken: (hash: Parameters<typeof findMailedToken>[1]) => findMailedToken(db, hash) };
  const mailWorks = () => settings.current.mail.delivery.kind !== "off";
  return {
    composer: createMailComposer({ now, random, seal, limits, isAvailable: mailWorks }),
    queue: mailQueue({ db, people, limits, seal, now, presentation, log, delivery: () => currentDelivery(deps) }),
    outbox: {
      get delivery() {
        return settings.current.mail.delivery.kind;
      },
      burstSeconds: limits.burstSeconds,
      async tryServer() {
        const smtp = smtpOf(settings.current.mail);
        return smtp && answerOf(smtp);
      },
      read: (row) => readMail(row, { seal, presentation }),
    },
    get mailWorks() {
      return mailWorks();
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

/**
 * Where mails go now. The process that wrote a mail may know of a server that was set within the last two seconds, so
 * this one looks again before it keeps a mail from being sent.
 */
async function currentDelivery({
  settings,
  print,
}: Pick<MailDeps, "settings" | "print">): Promise<Delivery | undefined> {
  if (settings.current.mail.delivery.kind !== "smtp") await settings.load();
  const smtp = smtpOf(settings.current.mail);
  if (smtp) return { kind: "smtp", smtp };
  return settings.current.mail.delivery.kind === "mailbox"
    ? { kind: "mailbox", tell: (mail, content) => print(announceMail(mail, content)) }
    : undefined;
}

const smtpOf = ({ delivery }: MailSettings): Smtp | undefined =>
  delivery.kind === "smtp" ? createSmtp(delivery.server, delivery.from) : undefined;
