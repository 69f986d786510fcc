// Entry `/webhooks`: events that a Gatehouse server forwards. Web APIs alone.

export type { RawRequest } from "./body.ts";
export { verifyWebhook, type WebhookEvent, type WebhookOptions, type WebhookPayloads } from "./verify.ts";
