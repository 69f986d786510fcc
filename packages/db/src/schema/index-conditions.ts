import type { EventState } from "@gatehouse/webhooks";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

// Conditions of partial indexes, for the schemas of both engines and the queries. A query uses such an index only if it
// has the condition in the same form, values included. `is null` and `is not null` of one column have no other form, so
// they are not here.

type Columns<Name extends string> = Readonly<Record<Name, SQLWrapper>>;

/** The client registered itself, or its metadata document describes it. */
export const noAdminRegistered = ({ origin }: Columns<"origin">): SQL => sql`${origin} <> 'registered'`;

/** A self-described client that has not been confirmed. */
export const isUnconfirmed = ({ confirmedAt, ...client }: Columns<"origin" | "confirmedAt">): SQL =>
  sql`${noAdminRegistered(client)} and ${confirmedAt} is null`;

/** A self-described client that never got a token. */
export const isNeverUsed = ({ lastUsedAt, ...client }: Columns<"origin" | "lastUsedAt">): SQL =>
  sql`${noAdminRegistered(client)} and ${lastUsedAt} is null`;

/** A self-described client that is disabled: exactly while a block applies to it. */
export const isDisabledByBlock = ({ disabledAt, ...client }: Columns<"origin" | "disabledAt">): SQL =>
  sql`${noAdminRegistered(client)} and ${disabledAt} is not null`;

/** An enabled production client that authenticates with a secret. CO-09. */
export const needsSecret = ({
  environment,
  origin,
  type,
  disabledAt,
  options,
}: Columns<"environment" | "origin" | "type" | "disabledAt" | "options">): SQL =>
  sql`${environment} = 'production' and ${origin} = 'registered' and ${type} in ('web', 'service') and ${disabledAt} is null and coalesce(${options} ->> 'authentication', '') <> 'private_key_jwt'`;

/** The client secret has an expiry and was not revoked before it. */
export const hasExpiry = ({ expiresAt, revokedAt }: Columns<"expiresAt" | "revokedAt">): SQL =>
  sql`${expiresAt} is not null and ${revokedAt} is null`;

/** The user has a role in the console. */
export const hasConsoleRole = ({ role }: Columns<"role">): SQL => sql`${role} <> 'user'`;

/** The account came from the sign-up page, and nobody verified its address. */
export const isUnverifiedSignUp = ({
  emailVerifiedAt,
  registeredBy,
}: Columns<"emailVerifiedAt" | "registeredBy">): SQL => sql`${emailVerifiedAt} is null and ${registeredBy} = 'self'`;

/** The invitation was neither accepted nor withdrawn. It can have expired. */
export const isUnanswered = ({ acceptedAt, withdrawnAt }: Columns<"acceptedAt" | "withdrawnAt">): SQL =>
  sql`${acceptedAt} is null and ${withdrawnAt} is null`;

/** The delivery is a duplicate or was rejected. */
export const notAccepted = ({ outcome }: Columns<"outcome">): SQL => sql`${outcome} <> 'accepted'`;

/** The delivery arrived in another environment than production. */
export const outsideProduction = ({ environment }: Columns<"environment">): SQL => sql`${environment} <> 'production'`;

/** The states of webhook events that handlers or operators still have to deal with. */
export const OPEN_STATES = ["pending", "failed", "dead"] as const satisfies readonly EventState[];

/** The webhook event is in one of {@link OPEN_STATES}. */
export const isOpen = ({ state }: Columns<"state">): SQL =>
  sql`${state} in (${sql.raw(OPEN_STATES.map((open) => `'${open}'`).join(", "))})`;
