import { DELIVERY_OUTCOMES, DELIVERY_REASONS, DELIVERY_SOURCES, EVENT_STATES } from "@gatehouse/webhooks";
import { z } from "zod";
import { at, environment, id, line } from "./fields.ts";

const provider = line.max(64);
export const webhookSecretName = line.trim().min(1, "give it a name, or leave it out").max(80, "use at most 80 characters");
export const webhookSecretQuery = z.object({ provider: provider.optional() }).default({});
export const webhookSecretDraft = z.object({
  provider,
  secret: z.string().max(500, "use at most 500 characters"),
  name: webhookSecretName.optional(),
  endsAt: at.nullish(),
});
export const webhookSecretEnd = z.object({ id, endsAt: at.optional(), confirmLast: z.boolean().default(false) });
export const webhookSecretView = z.object({
  id,
  provider: z.string(),
  name: z.string().nullable(),
  hint: z.string(),
  state: z.enum(["active", "ended", "unreadable"]),
  createdAt: at,
  endsAt: at.nullable(),
  lastMatchedAt: at.nullable(),
});

export const deliveryListItem = z.object({
  id,
  /** The slug of the endpoint, the last segment of its URL. */
  endpoint: z.string(),
  provider: z.string(),
  environment,
  receivedAt: at,
  outcome: z.enum(DELIVERY_OUTCOMES),
  reason: z.enum(DELIVERY_REASONS),
  status: z.int(),
  eventType: z.string().nullable(),
  eventId: z.string().nullable(),
  /** The state of the event; null if there is none. */
  handlerState: z.enum(EVENT_STATES).nullable(),
  ackMs: z.number(),
  /** Number of bytes received; null if reading stopped early. */
  bodyBytes: z.int().nullable(),
  /** The last characters of the signing secret that matched. */
  secretHint: z.string().nullable(),
  address: z.string().nullable(),
  source: z.enum(DELIVERY_SOURCES),
});
