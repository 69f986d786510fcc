import type { MailRow } from "@gatehouse/db/stores/jobs/mails";

/** A mail as its recipient sees it. */
export type WholeMail = {
  subject: string;
  text: string;
  html: string;
  link: string | undefined;
  code: string | undefined;
};

/** Where mail goes, and how the console reads it. Part of the dependencies. */
export type Outbox = {
  delivery: "smtp" | "mailbox" | "off";
  /** Seconds until mails that anybody can cause are sent again, while their limit is reached; otherwise 0. AB-07. */
  burstSeconds(): Promise<number>;
  /**
   * Connects to the SMTP server and signs in. Undefined without one. Returns null, or what the server answered instead.
   * EM-01.
   */
  tryServer?: () => Promise<string | null>;
  /** Only for the mailbox. Undefined if the mail cannot be read. */
  read(mail: MailRow): WholeMail | undefined;
};
