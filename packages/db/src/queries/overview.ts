import type { Environment } from "@gatehouse/auth";
import { and, asc, eq, gt, inArray, isNotNull, isNull, notExists, or, sql } from "drizzle-orm";
import { databaseNow } from "../query/clock.ts";
import type { Handle, ReadHandle } from "../query/handle.ts";

/** A live secret with an end. `lastUsedAt`: when it last authenticated its client, or verified a delivery. Times in Unix seconds. */
export type EndingSecret = {
  kind: "client" | "webhook" | "api_token";
  id: string;
  hint: string;
  expiresAt: number;
  lastUsedAt: number | null;
  /** Null for an API token, which can be for several. */
  environment: Environment | null;
  /** The application's name, the endpoint's slug, or the API token's name. */
  owner: string;
  /** Of a client's secret. */
  client: { applicationId: string; clientId: string; name: string } | null;
};

/** The live secrets of clients and webhook endpoints, and the live API tokens, that end first: at most `limit` of clients, and of the others. CO-14. */
export async function listEndingSecrets({ db, tables: t }: ReadHandle, now: number, limit: number): Promise<EndingSecret[]> {
  const { clientSecrets: s, webhookSecrets: w, apiTokens: a } = t;
  const others = { id: w.id, hint: w.hint, expiresAt: w.expiresAt, lastUsedAt: w.lastMatchedAt, owner: w.endpoint };
  const tokens = { id: a.id, hint: a.hint, expiresAt: a.expiresAt, lastUsedAt: a.lastUsedAt, owner: a.name };
  const [ofClients, ofOthers] = await Promise.all([
    db
      .select({ secret: s, client: t.clients, applicationName: t.applications.name })
      .from(s)
      .innerJoin(t.clients, eq(t.clients.id, s.clientId))
      .innerJoin(t.applications, eq(t.applications.id, t.clients.applicationId))
      .where(and(isNotNull(s.expiresAt), isNull(s.revokedAt), gt(s.expiresAt, now)))
      .orderBy(asc(s.expiresAt), asc(s.id))
      .limit(limit),
    db
      .select({ ...others, environment: sql<Environment | null>`${t.webhookEndpoints.environment}`.as("environment") })
      .from(w)
      .innerJoin(t.webhookEndpoints, eq(t.webhookEndpoints.slug, w.endpoint))
      .where(and(isNotNull(w.expiresAt), isNull(w.removedAt), gt(w.expiresAt, now)))
      .unionAll(
        db
          .select({ ...tokens, environment: sql<Environment | null>`null`.as("environment") })
          .from(a)
          .where(and(isNull(a.endedAt), gt(a.expiresAt, now))),
      )
      .orderBy(sql`expires_at`, sql`id`)
      .limit(limit),
  ]);
  const clients = ofClients.map(({ secret, client, applicationName }) => ({
    kind: "client" as const,
    ...{ id: secret.id, hint: secret.hint, expiresAt: secret.expiresAt ?? 0, lastUsedAt: secret.lastUsedAt },
    ...{ environment: client.environment, owner: applicationName },
    client: { applicationId: client.applicationId, clientId: client.id, name: client.name },
  }));
  const rest = ofOthers.map(({ expiresAt, ...other }) => ({
    kind: other.environment === null ? ("api_token" as const) : ("webhook" as const),
    ...{ ...other, expiresAt: expiresAt ?? 0, client: null },
  }));
  return [...clients, ...rest];
}

/** Enabled production clients that authenticate with a secret and have none that is live. CO-09. */
export async function listClientsWithoutSecret(
  { db, tables: { clients, applications, clientSecrets: s } }: ReadHandle,
  now: number,
  limit: number,
): Promise<{ clientId: string; applicationId: string; applicationName: string; name: string }[]> {
  const live = db
    .select({ id: s.id })
    .from(s)
    .where(and(eq(s.clientId, clients.id), isNull(s.revokedAt), or(isNull(s.expiresAt), gt(s.expiresAt, now))));
  const rows = await db
    .select({ client: clients, applicationName: applications.name })
    .from(clients)
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(
      and(
        ...[eq(clients.environment, "production"), eq(clients.origin, "registered"), isNull(clients.disabledAt)],
        ...[inArray(clients.type, ["web", "service"]), notExists(live)],
      ),
    )
    .limit(limit);
  return rows
    .filter(({ client }) => client.options.authentication !== "private_key_jwt")
    .map(({ client: { id, applicationId, name }, applicationName }) => ({ clientId: id, applicationId, applicationName, name }));
}

/** How many enabled admins there are, at most two. */
export async function countAdmins({ db, tables: { users } }: ReadHandle): Promise<number> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(sql`${users.role} <> 'user'`, eq(users.role, "admin"), isNull(users.disabledAt))) // the first condition is the index's
    .limit(2);
  return rows.length;
}

/** The scheduled tasks with how many seconds ago each was due, and how far the database's clock is ahead of `now`, in seconds. OP-22. */
export async function readSchedule(
  handle: Handle,
  now: number,
): Promise<{ overdue: { name: string; seconds: number }[]; aheadSeconds: number }> {
  const { leases } = handle.tables;
  const rows = await handle.db.select({ name: leases.name, until: leases.until, at: databaseNow(handle).mapWith(Number) }).from(leases);
  const aheadSeconds = (rows[0]?.at ?? now) - now;
  return { overdue: rows.map(({ name, until, at }) => ({ name, seconds: at - until })), aheadSeconds };
}

/** The configured endpoints that are on, with when they last accepted a delivery. */
export async function listEndpointActivity({
  db,
  tables: { webhookEndpoints: e },
}: ReadHandle): Promise<{ slug: string; provider: string; environment: Environment; lastAcceptedAt: number | null }[]> {
  return db
    .select({ slug: e.slug, provider: e.provider, environment: e.environment, lastAcceptedAt: e.lastAcceptedAt })
    .from(e)
    .where(isNull(e.disabledAt))
    .orderBy(asc(e.slug))
    .limit(1_000);
}
