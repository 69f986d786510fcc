import { DELIVERY_OUTCOMES, DELIVERY_REASONS, DELIVERY_SOURCES, EVENT_STATES, MODES } from "@gatehouse/webhooks";
import { z } from "zod";
import { at, environment, id } from "../fields.ts";

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
  /** The provider's own mark; null if it sets none. */
  mode: z.enum(MODES).nullable(),
  /** Whether it is marked as a test in production, or as live elsewhere. */
  modeContradicts: z.boolean(),
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
