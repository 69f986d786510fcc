import { MAIL_STATES } from "@gatehouse/accounts/mail-states";
import { SIGN_IN_CAUSES, SIGN_IN_OUTCOMES } from "@gatehouse/accounts/sign-in-causes";
import type { ClientOrigin, ClientType, SignInFactor } from "@gatehouse/auth";
import { REFUSAL_CAUSES } from "@gatehouse/auth/refusal-causes";
import { ROLES } from "@gatehouse/auth/roles";
import { ENVIRONMENTS } from "@gatehouse/webhooks/endpoint";
import { DELIVERY_OUTCOMES, DELIVERY_REASONS } from "@gatehouse/webhooks/reasons";
import { EVENT_STATES } from "@gatehouse/webhooks/states";
import { choice, type Filters, type FilterValues, instant, text } from "./filter.ts";

// The filters of every list of the console, each defined once. To add a filter, add a line here and its condition in
// the query.
// - The console reads them from the URL: `readFilters(DELIVERY_FILTERS, get)`.
// - The procedure checks them: `.input(listInput(DELIVERY_FILTERS))`.
// - The query takes them as `DeliveryFilter`.

/** As `CLIENT_TYPES` and `CLIENT_ORIGINS` of the protocol, which browsers do not load. */
const TYPES = ["web", "browser", "native", "service", "device"] as const satisfies readonly ClientType[];
const ORIGINS = ["registered", "dynamic", "metadata_document"] as const satisfies readonly ClientOrigin[];

const APPLICATION_STATES = [
  "unused",
  "off",
  "never_used",
  "silent",
  "secret_unused",
  "secret_ends",
  "managed",
] as const;
const APPLICATION_SORTS = ["created", "name", "lastToken", "refusals"] as const;

export const APPLICATION_FILTERS = {
  /**
   * The beginning of words, of a client id or of a redirect host, or a secret's last four; an exact name or client id
   * comes first. CO-19.
   */
  query: text(200),
  environment: choice(ENVIRONMENTS),
  type: choice(TYPES),
  origin: choice(ORIGINS),
  /**
   * `unused`: CO-36. `off`: every client is disabled. `silent`: no token for 90 days. `secret_unused`: a live secret
   * that never authenticated its client. `secret_ends`: within 30 days. `managed`: a file of `gatehouse apply` set it
   * up. CO-73.
   */
  state: choice(APPLICATION_STATES),
  sort: choice(APPLICATION_SORTS),
} as const satisfies Filters;
export type ApplicationFilter = FilterValues<typeof APPLICATION_FILTERS>;

export const REMOVED_FILTERS = {
  /** Part of the name, or an exact id. */
  query: text(200),
} as const satisfies Filters;
export type RemovedFilter = FilterValues<typeof REMOVED_FILTERS>;

export const USER_FILTERS = {
  /** The beginning of the email address or name; an exact email address or user id comes first. */
  query: text(200),
  role: choice(ROLES),
  status: choice(["active", "disabled", "unverified", "deleting"]),
  secondFactor: choice(["none", "some"]),
  lastSignIn: choice(["never", "some"]),
  /** When the user last signed in; users who never did match neither. */
  signedInFrom: instant,
  signedInTo: instant,
} as const satisfies Filters;
export type UserFilter = FilterValues<typeof USER_FILTERS>;

/** What the list does with probes of the doctor. Without one of these it lists them like any other delivery. */
const PROBES = ["hidden", "shown", "only"] as const;

export const DELIVERY_FILTERS = {
  provider: text(64),
  endpoint: text(64),
  environment: choice(ENVIRONMENTS),
  outcome: choice(DELIVERY_OUTCOMES),
  reason: choice(DELIVERY_REASONS),
  eventType: text(255),
  eventId: text(300),
  handlerState: choice(EVENT_STATES),
  probes: choice(PROBES),
  from: instant,
  to: instant,
} as const satisfies Filters;
export type DeliveryFilter = FilterValues<typeof DELIVERY_FILTERS>;

/**
 * Of a group of failures. `open`: neither muted nor resolved, so that it includes `regressed`: back after somebody
 * resolved it.
 */
const FAILURE_STATES = ["open", "regressed", "muted", "resolved"] as const;

export const REFUSAL_FILTERS = {
  clientId: text(255),
  cause: choice(REFUSAL_CAUSES),
  endpoint: text(200),
  environment: choice(ENVIRONMENTS),
  /** The exact address of the caller. */
  address: text(64),
  /** Whose credential or session it was. */
  userId: text(255),
  /** The key of a group of failures. */
  group: text(64),
  /** Of the group; refusals of test runs have no group, and no state. */
  state: choice(FAILURE_STATES),
  from: instant,
  to: instant,
} as const satisfies Filters;
export type RefusalFilter = FilterValues<typeof REFUSAL_FILTERS>;

export const FAILURE_GROUP_FILTERS = {
  clientId: text(255),
  cause: choice(REFUSAL_CAUSES),
  /** The first segment of the path. */
  endpoint: text(200),
  environment: choice(ENVIRONMENTS),
  state: choice(FAILURE_STATES),
  /** Of the last refusal. */
  from: instant,
  to: instant,
} as const satisfies Filters;
export type FailureGroupFilter = FilterValues<typeof FAILURE_GROUP_FILTERS>;

/** As `SignInFactor` of the protocol, which browsers do not load. */
export const SIGN_IN_FACTORS = [
  "password",
  "passkey",
  "email_code",
  "sign_up",
  "invitation",
  "upstream",
  "second_step",
] as const satisfies readonly SignInFactor[];

export const SIGN_IN_FILTERS = {
  /** A user's id, or an email address, whether or not an account has it. */
  user: text(320),
  outcome: choice(SIGN_IN_OUTCOMES),
  cause: choice(SIGN_IN_CAUSES),
  factor: choice(SIGN_IN_FACTORS),
  clientId: text(255),
  environment: choice(ENVIRONMENTS),
  /** The exact address of the caller. */
  address: text(64),
  from: instant,
  to: instant,
} as const satisfies Filters;
export type SignInFilter = FilterValues<typeof SIGN_IN_FILTERS>;

/** Of clients that no admin registered: `waiting` for a first user, `active`, or `blocked`. */
export const SELF_REGISTERED_STATES = ["waiting", "active", "blocked"] as const;
export type SelfRegisteredState = (typeof SELF_REGISTERED_STATES)[number];

export const SELF_REGISTERED_FILTERS = {
  state: choice(SELF_REGISTERED_STATES),
  /** The exact host of the metadata document. */
  host: text(253),
  /** The exact software id. */
  software: text(255),
} as const satisfies Filters;
export type SelfRegisteredFilter = FilterValues<typeof SELF_REGISTERED_FILTERS>;

export const MAIL_FILTERS = {
  /** The exact address. */
  recipient: text(254),
  state: choice(MAIL_STATES),
} as const satisfies Filters;
export type MailFilter = FilterValues<typeof MAIL_FILTERS>;

export const AUDIT_FILTERS = {
  /** The id of who did it, or part of the name. */
  actor: text(255),
  /** Whole, as `client.update`, or its noun, as `client`. */
  action: text(64),
  /** The id of what it is about, or part of its name. */
  object: text(255),
  environment: choice(ENVIRONMENTS),
  from: instant,
  to: instant,
} as const satisfies Filters;
export type AuditFilter = FilterValues<typeof AUDIT_FILTERS>;

/**
 * The sessions of a user are one list without pages, the newest first: more than a person has, fewer than a script can
 * open.
 */
export const MAX_LISTED_SESSIONS = 200;

/** How far back the charts of the deliveries go. */
export const STATS_RANGES = ["1h", "24h", "7d", "30d"] as const;
export type StatsRange = (typeof STATS_RANGES)[number];
