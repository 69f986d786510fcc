// Mail: what the server writes to people, and how it is delivered.

export { type ComposerDeps, createMailComposer } from "./compose.ts";
export { createMailLimits, type MailLimits } from "./limits.ts";
export { announceMail } from "./mailbox.ts";
export { type Delivery, mailQueue, type OutboxDeps } from "./outbox.ts";
export { mailPurpose, type OpenedMail, type Presentation, readMail } from "./render.ts";
export { createSmtp, type Smtp, SmtpError } from "./smtp.ts";
export { readSender, readSmtpUrl, type Sender, type SmtpServer } from "./smtp-url.ts";
