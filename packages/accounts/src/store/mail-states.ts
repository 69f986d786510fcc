/** Every {@link MailState}. */
export const MAIL_STATES = ["queued", "sent", "failed", "expired", "dropped"] as const;
/** `dropped`: it was never to be sent, because nobody has the address or a limit was reached. */
export type MailState = (typeof MAIL_STATES)[number];
