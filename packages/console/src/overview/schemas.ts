import { z } from "zod";
import { at, environment } from "../fields.ts";
import { STATS_RANGES } from "../lists/lists.ts";
import { FIRST_STEPS } from "./getting-started.ts";

export const overviewInput = z.strictObject({
  range: z.enum(STATS_RANGES).default("24h"),
  environment: environment.optional(),
});

const count = z.int();
const chart = z.object({
  /** Of sign-ins, those that succeeded. */
  total: count,
  /** Sign-ins that failed, or deliveries that were rejected, which `total` includes. Null where nothing can fail. */
  failed: count.nullable(),
  /** The total of the period before, as far into it as this one is. */
  before: count,
  series: z.array(z.object({ name: z.string(), total: count })),
  /** `counts` are in the order of `series`. */
  bars: z.array(z.object({ at, counts: z.array(count) })),
});

const endingSoon = z.array(
  z.object({
    kind: z.enum(["client", "webhook", "api_token"]),
    id: z.string(),
    hint: z.string(),
    expiresAt: at,
    lastUsedAt: at.nullable(),
    inUse: z.boolean(),
    environment: environment.nullable(),
    /** The application's name, the endpoint's slug, or the API token's name. */
    owner: z.string(),
    client: z.object({ applicationId: z.string(), clientId: z.string(), name: z.string() }).nullable(),
  }),
);

export const overviewView = z.object({
  at,
  from: at,
  stepSeconds: z.int(),
  signIns: chart,
  tokens: chart,
  refusals: chart,
  webhooks: chart,
  /** Those in use first. */
  endingSoon,
});

const fix = z.discriminatedUnion("page", [
  z.object({
    page: z.literal("client"),
    applicationId: z.string(),
    clientId: z.string(),
    environment: z.string(),
    tab: z.literal("secrets"),
    /** Of the client; missing in what the release before this one stored. */
    name: z.string().optional(),
  }),
  z.object({ page: z.literal("endpoint"), slug: z.string() }),
  /** `group` is missing in what the release before this one stored. */
  z.object({ page: z.literal("failures"), cause: z.string(), group: z.string().optional() }),
  z.object({ page: z.enum(["deliveries", "mail", "users", "keys", "api-tokens", "audit"]) }),
]);

export const attentionInput = z.strictObject({ again: z.boolean().optional() });
export const attentionView = z.object({
  /** When the checks ran. */
  at,
  items: z.array(
    z.object({
      check: z.string(),
      state: z.enum(["ok", "warning", "failed"]),
      sentence: z.string(),
      /** What to do about it; null if the sentence says it. Missing in what the release before this one stored. */
      advice: z.string().nullable().optional(),
      /** The least role that can do it. Missing in what the release before this one stored. */
      who: z.enum(["admin", "developer"]).optional(),
      since: at.nullable(),
      object: z.string().nullable(),
      /** The page of the console that fixes it; null if none does. */
      fix: fix.nullable(),
    }),
  ),
});

export const firstStepsView = z.array(z.object({ step: z.enum(FIRST_STEPS), done: z.boolean() }));
