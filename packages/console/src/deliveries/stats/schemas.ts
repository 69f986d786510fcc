import { DELIVERY_REASONS } from "@gatehouse/webhooks";
import { z } from "zod";
import { at, environment, line } from "../../fields.ts";
import { STATS_RANGES } from "../../lists/lists.ts";

const slug = line.max(64);
export const deliveryStatsInput = z.strictObject({
  range: z.enum(STATS_RANGES),
  environment: environment.optional(),
  provider: slug.optional(),
  endpoint: slug.optional(),
});

const count = z.int();
/** The upper bound of the bucket; null if it has none. */
const bound = z.number().nullable();
export const deliveryStatsView = z.object({
  from: at,
  /** The width of a bar. */
  stepSeconds: z.int(),
  results: z.array(z.object({ at, accepted: count, duplicate: count, rejected: count })),
  handlers: z.array(z.object({ at, ok: count, failed: count, dead: count })),
  reasons: z.array(z.object({ reason: z.enum(DELIVERY_REASONS), count })),
  /** Those with a delivery, the busiest first. */
  endpoints: z.array(
    z.object({ endpoint: z.string(), provider: z.string(), accepted: count, duplicate: count, rejected: count }),
  ),
  responses: z.array(
    z.object({
      provider: z.string(),
      count,
      p50Ms: bound,
      p95Ms: bound,
      p99Ms: bound,
      /** How long the provider waits for a response; null if it does not say. */
      budgetMs: z.int().nullable(),
    }),
  ),
  /** Since when payloads are deleted early because the inbox is full; null if they are not. */
  evictedAt: at.nullable(),
});
