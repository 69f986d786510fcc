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
  /** Follows the settings: read it at each use. `mailbox`: mails stay in the console, on loopback. EM-02. */
  readonly delivery: "smtp" | "mailbox" | "off";
  /** Seconds until mails that anybody can cause are sent again, while their limit is reached; otherwise 0. AB-07. */
  burstSeconds(): Promise<number>;
  /**
   * Connects to the SMTP server and signs in. Resolves with null, or with what the server answered instead; undefined
   * without a server. EM-01.
   */
  tryServer(): Promise<string | null | undefined>;
  /** Only for the mailbox. Undefined if the mail cannot be read. */
  read(mail: MailRow): WholeMail | undefined;
};
