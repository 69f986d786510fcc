import { REFUSAL_CAUSES } from "@gatehouse/auth/refusal-causes";
import { ROLES } from "@gatehouse/auth/roles";
import { ENVIRONMENTS } from "@gatehouse/webhooks/endpoint";
import { DELIVERY_OUTCOMES, DELIVERY_REASONS } from "@gatehouse/webhooks/reasons";
import { EVENT_STATES } from "@gatehouse/webhooks/states";
import { choice, type Filters, type FilterValues, instant, text } from "./filter.ts";

// The filters of every list of the console, each defined once. To add a filter, add a line here and its condition in the query.
// - The console reads them from the URL: `readFilters(DELIVERY_FILTERS, get)`.
// - The procedure checks them: `.input(listInput(DELIVERY_FILTERS))`.
// - The query takes them as `DeliveryFilter`.

export const APPLICATION_FILTERS = {
  /** Part of the name or description; an exact name or client id comes first. */
  query: text(200),
} as const satisfies Filters;
export type ApplicationFilter = FilterValues<typeof APPLICATION_FILTERS>;

export const USER_FILTERS = {
  /** Part of the email address or name; an exact email address or user id comes first. */
  query: text(200),
  role: choice(ROLES),
} as const satisfies Filters;
export type UserFilter = FilterValues<typeof USER_FILTERS>;

export const DELIVERY_FILTERS = {
  provider: text(64),
  endpoint: text(64),
  environment: choice(ENVIRONMENTS),
  outcome: choice(DELIVERY_OUTCOMES),
  reason: choice(DELIVERY_REASONS),
  eventType: text(255),
  eventId: text(300),
  handlerState: choice(EVENT_STATES),
  from: instant,
  to: instant,
} as const satisfies Filters;
export type DeliveryFilter = FilterValues<typeof DELIVERY_FILTERS>;

export const REFUSAL_FILTERS = {
  clientId: text(255),
  cause: choice(REFUSAL_CAUSES),
  from: instant,
  to: instant,
} as const satisfies Filters;
export type RefusalFilter = FilterValues<typeof REFUSAL_FILTERS>;

/** The sessions of a user are one list without pages, the newest first: more than a person has, fewer than a script can open. */
export const MAX_LISTED_SESSIONS = 200;

/** How far back the charts of the deliveries go. */
export const STATS_RANGES = ["1h", "24h", "7d", "30d"] as const;
export type StatsRange = (typeof STATS_RANGES)[number];
