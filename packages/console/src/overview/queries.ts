import type { Environment } from "@gatehouse/auth";
import { databaseNow } from "@gatehouse/db/query/clock";
import type { Db, ReadDb } from "@gatehouse/db/query/db";
import { hasConsoleRole, hasExpiry, needsSecret } from "@gatehouse/db/schema/index-conditions";
import { and, asc, type Column, eq, gt, isNotNull, isNull, lte, ne, notExists, or, type SQL, sql } from "drizzle-orm";

/**
 * A live secret with an end. `lastUsedAt`: when it last authenticated its client, or verified a delivery. Times in Unix
 * seconds.
 */
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

/** Times in Unix seconds. A secret is in use if it was last used after `usedAfter`. */
export type EndingQuery = {
  now: number;
  usedAfter: number;
  /** Only those that end until then. */
  until?: number;
  /** Only those in use. */
  inUse?: boolean;
  limit: number;
};

/**
 * The live secrets of clients and webhook endpoints, and the live API tokens, that end first: of each kind at most
 * `limit` in use, and unless only those are wanted as many others. Each part follows an index in order, so an unused
 * secret never hides one in use. CO-09, CO-14.
 */
export async function listEndingSecrets(db: ReadDb, query: EndingQuery): Promise<EndingSecret[]> {
  const [ofClients, ofOthers] = await Promise.all([endingOfClients(db, query), endingOfOthers(db, query)]);
  const clients = ofClients.map(({ applicationId, clientId, name, expiresAt, ...secret }) => ({
    kind: "client" as const,
    ...secret,
    expiresAt: expiresAt ?? 0,
    client: { applicationId, clientId, name },
  }));
  const rest = ofOthers.map(({ expiresAt, ...other }) => ({
    kind: other.environment === null ? ("api_token" as const) : ("webhook" as const),
    ...other,
    expiresAt: expiresAt ?? 0,
    client: null,
  }));
  return [...clients, ...rest];
}

const isUsed = (lastUsedAt: Column, { usedAfter }: EndingQuery) => gt(lastUsedAt, usedAfter);
const isUnused = (lastUsedAt: Column, { usedAfter }: EndingQuery) => or(isNull(lastUsedAt), lte(lastUsedAt, usedAfter));
const isEnding = (expiresAt: Column, { now, until }: EndingQuery) =>
  and(gt(expiresAt, now), until === undefined ? undefined : lte(expiresAt, until));

function endingOfClients(db: ReadDb, query: EndingQuery) {
  const { tables: t } = db;
  const { clientSecrets: s, clients, applications } = t;
  const part = (used: SQL | undefined, name: string) =>
    db
      .select({
        id: s.id,
        hint: s.hint,
        expiresAt: s.expiresAt,
        lastUsedAt: s.lastUsedAt,
        environment: clients.environment,
        owner: sql<string>`${applications.name}`.as("owner"),
        applicationId: clients.applicationId,
        clientId: s.clientId,
        name: clients.name,
      })
      .from(s)
      .innerJoin(clients, eq(clients.id, s.clientId))
      .innerJoin(applications, eq(applications.id, clients.applicationId))
      .where(and(hasExpiry(s), isEnding(s.expiresAt, query), used))
      .orderBy(asc(s.expiresAt), asc(s.id))
      .limit(query.limit)
      .as(name);
  const used = db.select().from(part(isUsed(s.lastUsedAt, query), "used"));
  return query.inUse ? used : used.unionAll(db.select().from(part(isUnused(s.lastUsedAt, query), "unused")));
}

function endingOfOthers(db: ReadDb, query: EndingQuery) {
  const { tables: t } = db;
  const { webhookSecrets: w, webhookEndpoints: e, apiTokens: a } = t;
  const ofWebhooks = (used: SQL | undefined, name: string) =>
    db
      .select({
        id: w.id,
        hint: w.hint,
        expiresAt: w.expiresAt,
        lastUsedAt: w.lastMatchedAt,
        owner: w.endpoint,
        environment: sql<Environment | null>`${e.environment}`.as("environment"),
      })
      .from(w)
      .innerJoin(e, eq(e.slug, w.endpoint))
      .where(
        and(ne(w.kind, "forwarding"), isNotNull(w.expiresAt), isNull(w.removedAt), isEnding(w.expiresAt, query), used),
      )
      .orderBy(asc(w.expiresAt), asc(w.id))
      .limit(query.limit)
      .as(name);
  const ofTokens = (used: SQL | undefined, name: string) =>
    db
      .select({
        id: a.id,
        hint: a.hint,
        expiresAt: a.expiresAt,
        lastUsedAt: a.lastUsedAt,
        owner: a.name,
        environment: sql<Environment | null>`null`.as("environment"),
      })
      .from(a)
      .where(and(isNull(a.endedAt), isEnding(a.expiresAt, query), used))
      .orderBy(asc(a.expiresAt), asc(a.id))
      .limit(query.limit)
      .as(name);
  const used = db
    .select()
    .from(ofWebhooks(isUsed(w.lastMatchedAt, query), "used_secrets"))
    .unionAll(db.select().from(ofTokens(isUsed(a.lastUsedAt, query), "used_tokens")));
  if (query.inUse) return used;
  return used
    .unionAll(db.select().from(ofWebhooks(isUnused(w.lastMatchedAt, query), "unused_secrets")))
    .unionAll(db.select().from(ofTokens(isUnused(a.lastUsedAt, query), "unused_tokens")));
}

/** Enabled production clients that authenticate with a secret and have none that is live, by id. CO-09. */
export async function listClientsWithoutSecret(
  db: ReadDb,
  now: number,
  limit: number,
): Promise<{ clientId: string; applicationId: string; applicationName: string; name: string }[]> {
  const { clients, applications, clientSecrets: s } = db.tables;
  const live = db
    .select({ id: s.id })
    .from(s)
    .where(and(eq(s.clientId, clients.id), isNull(s.revokedAt), or(isNull(s.expiresAt), gt(s.expiresAt, now))));
  // Their ids first: these are in the index, so the rows of all other clients are not read.
  const without = db
    .select({ id: clients.id })
    .from(clients)
    .where(and(needsSecret(clients), notExists(live)))
    .orderBy(asc(clients.id))
    .limit(limit)
    .as("without");
  return db
    .select({
      clientId: clients.id,
      applicationId: clients.applicationId,
      name: clients.name,
      applicationName: sql<string>`${applications.name}`.as("application_name"),
    })
    .from(without)
    .innerJoin(clients, eq(clients.id, without.id))
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .orderBy(asc(without.id));
}

/** How many enabled admins there are, at most two. */
export async function countAdmins(db: ReadDb): Promise<number> {
  const { users } = db.tables;
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(hasConsoleRole(users), eq(users.role, "admin"), isNull(users.disabledAt)))
    .limit(2);
  return rows.length;
}

/**
 * The scheduled tasks with how many seconds ago each was due, and how far the database's clock is ahead of `now`, in
 * seconds. OP-22.
 */
export async function readSchedule(
  db: Db,
  now: number,
): Promise<{ overdue: { name: string; seconds: number }[]; aheadSeconds: number }> {
  const { leases } = db.tables;
  const rows = await db
    .select({ name: leases.name, until: leases.until, at: databaseNow(db).mapWith(Number) })
    .from(leases);
  const aheadSeconds = (rows[0]?.at ?? now) - now;
  return { overdue: rows.map(({ name, until, at }) => ({ name, seconds: at - until })), aheadSeconds };
}

/** The configured endpoints that are on, with when they last accepted a delivery. */
export async function listEndpointActivity(
  db: ReadDb,
): Promise<{ slug: string; provider: string; environment: Environment; lastAcceptedAt: number | null }[]> {
  const { webhookEndpoints: e } = db.tables;
  return db
    .select({ slug: e.slug, provider: e.provider, environment: e.environment, lastAcceptedAt: e.lastAcceptedAt })
    .from(e)
    .where(isNull(e.disabledAt))
    .orderBy(asc(e.slug))
    .limit(1_000);
}
