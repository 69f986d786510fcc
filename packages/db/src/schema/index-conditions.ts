import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

// Conditions of partial indexes. A query uses such an index only if it has the condition in the same form, values included.

type Columns<Name extends string> = Readonly<Record<Name, SQLWrapper>>;

/** The client registered itself, or its metadata document describes it. */
export const noAdminRegistered = ({ origin }: Columns<"origin">): SQL => sql`${origin} <> 'registered'`;

/** An enabled production client that authenticates with a secret. CO-09. */
export const needsSecret = ({
  environment,
  origin,
  type,
  disabledAt,
  options,
}: Columns<"environment" | "origin" | "type" | "disabledAt" | "options">): SQL =>
  sql`${environment} = 'production' and ${origin} = 'registered' and ${type} in ('web', 'service') and ${disabledAt} is null and coalesce(${options} ->> 'authentication', '') <> 'private_key_jwt'`;

/** The delivery is a duplicate or was rejected. */
export const notAccepted = ({ outcome }: Columns<"outcome">): SQL => sql`${outcome} <> 'accepted'`;
