import type { ReadDb } from "@gatehouse/db/query/db";
import type { ClientDayRow, ScopeDayRow, SecretDayRow, UriDayRow } from "@gatehouse/db/stores/stats/usage-writes";
import { and, asc, eq, gte, inArray, sql } from "drizzle-orm";

// `fromDay` is the start of the first day that counts, Unix seconds in UTC. Days without a count have no row.

/** What a client did, oldest day first. Its metrics are `sign_in`, `token.<grant_type>` and `refusal`. CO-35. */
export async function clientUse(db: ReadDb, clientId: string, fromDay: number): Promise<ClientDayRow[]> {
  const { clientDay: t } = db.tables;
  return db
    .select()
    .from(t)
    .where(and(eq(t.clientId, clientId), gte(t.day, fromDay)))
    .orderBy(asc(t.day), asc(t.metric));
}

/** Uses of each secret, oldest day first. At most 200 secrets. CO-31. */
export async function secretUse(db: ReadDb, secretIds: readonly string[], fromDay: number): Promise<SecretDayRow[]> {
  const { secretDay: t } = db.tables;
  if (secretIds.length === 0) return [];
  return db
    .select()
    .from(t)
    .where(and(inArray(t.secretId, [...secretIds]), gte(t.day, fromDay)))
    .orderBy(asc(t.day), asc(t.secretId));
}

/** Sign-ins of a client at these registered redirect URIs, by the hash `sha256(uri)`. CO-37. */
export async function uriUse(
  db: ReadDb,
  { clientId, uriHashes }: { clientId: string; uriHashes: readonly string[] },
  fromDay: number,
): Promise<UriDayRow[]> {
  const { uriDay: t } = db.tables;
  if (uriHashes.length === 0) return [];
  return db
    .select()
    .from(t)
    .where(and(eq(t.clientId, clientId), inArray(t.uriHash, [...uriHashes]), gte(t.day, fromDay)))
    .orderBy(asc(t.day), asc(t.uriHash));
}

/** Tokens of a client with each of these scopes. CO-37. */
export async function scopeUse(
  db: ReadDb,
  { clientId, scopes }: { clientId: string; scopes: readonly string[] },
  fromDay: number,
): Promise<ScopeDayRow[]> {
  const { scopeDay: t } = db.tables;
  if (scopes.length === 0) return [];
  return db
    .select()
    .from(t)
    .where(and(eq(t.clientId, clientId), inArray(t.scope, [...scopes]), gte(t.day, fromDay)))
    .orderBy(asc(t.day), asc(t.scope));
}

/** Sums of each client and metric. At most 200 clients. */
export async function clientTotals(
  db: ReadDb,
  clientIds: readonly string[],
  fromDay: number,
): Promise<{ clientId: string; metric: string; count: number }[]> {
  const { clientDay: t } = db.tables;
  if (clientIds.length === 0) return [];
  return db
    .select({ clientId: t.clientId, metric: t.metric, count: sql<number>`sum(${t.count})`.mapWith(Number) })
    .from(t)
    .where(and(inArray(t.clientId, [...clientIds]), gte(t.day, fromDay)))
    .groupBy(t.clientId, t.metric);
}

/** When each client last got a token, Unix seconds. A client that never got one is missing. */
export async function lastTokens(
  db: ReadDb,
  clientIds: readonly string[],
): Promise<{ clientId: string; lastTokenAt: number }[]> {
  const { clientUse: t } = db.tables;
  if (clientIds.length === 0) return [];
  return db
    .select()
    .from(t)
    .where(inArray(t.clientId, [...clientIds]));
}

/** How many users, applications and clients there are, without counting them. CO-13. */
export async function readTotals(db: ReadDb): Promise<{ users: number; applications: number; clients: number }> {
  const { totals } = db.tables;
  const counts = new Map((await db.select().from(totals)).map(({ name, count }) => [name, count]));
  return {
    users: counts.get("users") ?? 0,
    applications: counts.get("applications") ?? 0,
    clients: counts.get("clients") ?? 0,
  };
}
