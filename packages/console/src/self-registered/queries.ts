import type { ClientOptions, ClientOrigin } from "@gatehouse/auth";
import type { Db, ReadDb, Tables, WriteQuery } from "@gatehouse/db/query/db";
import type { Position } from "@gatehouse/db/query/page";
import { equalsUnindexed, type FoundRows, scanPage } from "@gatehouse/db/query/scan";
import { noAdminRegistered } from "@gatehouse/db/schema/index-conditions";
import { and, asc, desc, eq, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { SelfRegisteredFilter, SelfRegisteredState } from "../lists/lists.ts";

/** A client that no admin registered. `users` have allowed it, counted up to {@link MOST_USERS}. */
export type SelfRegisteredRow = {
  clientId: string;
  applicationId: string;
  name: string;
  origin: ClientOrigin;
  documentHost: string | null;
  softwareId: string | null;
  redirectUris: string[];
  scopes: string[];
  options: ClientOptions;
  createdAt: number;
  updatedAt: number;
  confirmedAt: number | null;
  approvedAt: number | null;
  lastUsedAt: number | null;
  disabledAt: number | null;
  /** Raised when what the client says about itself changes. */
  version: number;
  users: number;
};

/** Counts of users end here; one more means that there are more. */
export const MOST_USERS = 1_000;
/** The groups are of the newest clients. */
const GROUPED_CLIENTS = 10_000;
const MOST_GROUPS = 200;

const columns = ({ clients, applications, consents }: Tables) => ({
  clientId: clients.id,
  applicationId: clients.applicationId,
  name: applications.name,
  origin: clients.origin,
  documentHost: clients.documentHost,
  softwareId: clients.softwareId,
  redirectUris: clients.redirectUris,
  scopes: clients.scopes,
  options: clients.options,
  createdAt: clients.createdAt,
  updatedAt: clients.updatedAt,
  confirmedAt: clients.confirmedAt,
  approvedAt: clients.approvedAt,
  lastUsedAt: clients.lastUsedAt,
  disabledAt: clients.disabledAt,
  version: clients.version,
  users:
    sql<number>`(select count(*) from (select 1 from ${consents} where ${consents.clientId} = ${clients.id} limit ${MOST_USERS + 1}) as bounded)`.mapWith(
      Number,
    ),
});

const stateIs = ({ clients }: Tables, state: SelfRegisteredState): SQL | undefined => {
  if (state === "blocked") return isNotNull(clients.disabledAt);
  const waits = and(eq(clients.origin, "dynamic"), isNull(clients.confirmedAt));
  return state === "waiting"
    ? and(isNull(clients.disabledAt), waits)
    : and(isNull(clients.disabledAt), sql`not (${waits})`);
};

/** A page, newest first. */
export function listSelfRegistered(
  db: ReadDb,
  { state, host, software }: SelfRegisteredFilter,
  position: Position | undefined,
  limit: number,
): Promise<FoundRows<SelfRegisteredRow>> {
  const { tables } = db;
  const { clients, applications } = tables;
  const index = {
    table: clients,
    at: clients.createdAt,
    id: clients.applicationId,
    partial: noAdminRegistered(clients),
  };
  const residual = and(
    state && stateIs(tables, state),
    equalsUnindexed(clients.documentHost, host),
    equalsUnindexed(clients.softwareId, software),
  );
  return scanPage(db, { index, residual, position, limit }, (condition, order) =>
    db
      .select(columns(tables))
      .from(clients)
      .innerJoin(applications, eq(applications.id, clients.applicationId))
      .where(condition)
      .orderBy(...order)
      .limit(limit + 1),
  );
}

export async function findSelfRegistered(db: ReadDb, clientId: string): Promise<SelfRegisteredRow | undefined> {
  const { tables } = db;
  const { clients, applications } = tables;
  const [row] = await db
    .select(columns(tables))
    .from(clients)
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(and(eq(clients.id, clientId), noAdminRegistered(clients)));
  return row;
}

/**
 * The newest {@link GROUPED_CLIENTS} clients by the host of their document, else by software id; the most recently used
 * group first.
 */
export async function groupSelfRegistered(db: ReadDb) {
  const { clients } = db.tables;
  const newest = db
    .select({
      host: clients.documentHost,
      software: sql<string | null>`case when ${clients.documentHost} is null then ${clients.softwareId} end`.as(
        "software",
      ),
      createdAt: clients.createdAt,
      lastUsedAt: clients.lastUsedAt,
      blocked: sql<number>`case when ${clients.disabledAt} is null then 0 else 1 end`.as("blocked"),
      waiting:
        sql<number>`case when ${clients.disabledAt} is null and ${clients.origin} = 'dynamic' and ${clients.confirmedAt} is null then 1 else 0 end`.as(
          "waiting",
        ),
    })
    .from(clients)
    .where(noAdminRegistered(clients))
    .orderBy(desc(clients.createdAt), desc(clients.applicationId))
    .limit(GROUPED_CLIENTS)
    .as("newest");
  const lastUsedAt = sql<number | null>`max(${newest.lastUsedAt})`;
  const rows = await db
    .select({
      host: newest.host,
      software: newest.software,
      clients: sql<number>`count(*)`.mapWith(Number),
      waiting: sql<number>`sum(${newest.waiting})`.mapWith(Number),
      blocked: sql<number>`sum(${newest.blocked})`.mapWith(Number),
      firstAt: sql<number>`min(${newest.createdAt})`.mapWith(Number),
      lastUsedAt,
    })
    .from(newest)
    .groupBy(newest.host, newest.software)
    .orderBy(
      sql`coalesce(max(${newest.lastUsedAt}), max(${newest.createdAt})) desc`,
      asc(newest.host),
      asc(newest.software),
    )
    .limit(MOST_GROUPS);
  return rows.map((row) => ({ ...row, lastUsedAt: row.lastUsedAt === null ? null : Number(row.lastUsedAt) }));
}

/** An admin's approval of the client as it is at `version`; null withdraws it, whatever the client's version. */
export type Approval = { at: number; version: number } | null;

/**
 * Sets or clears an admin's approval, and makes `also`, all or none. False if there is no such client, or if it is no
 * longer at the version.
 */
export function approveClient(
  db: Db,
  clientId: string,
  approval: Approval,
  also: readonly WriteQuery[],
): Promise<boolean> {
  const { clients } = db.tables;
  const isAsRead = approval ? eq(clients.version, approval.version) : undefined;
  const first = db
    .update(clients)
    .set({ approvedAt: approval?.at ?? null })
    .where(and(eq(clients.id, clientId), noAdminRegistered(clients), isAsRead))
    .returning({ id: clients.id });
  return db.guarded(first, also);
}

/** No token since `cutoff`, and none before either if it is older than that. */
const idleSince = ({ clients }: Tables, cutoff: number): SQL | undefined =>
  and(
    noAdminRegistered(clients),
    lte(clients.createdAt, cutoff),
    or(isNull(clients.lastUsedAt), lte(clients.lastUsedAt, cutoff)),
  );

/** Clients that got no token since `cutoff`, oldest first; at most `limit`. */
export function listIdleClients(db: ReadDb, cutoff: number, limit: number): Promise<SelfRegisteredRow[]> {
  const { tables } = db;
  const { clients, applications } = tables;
  return db
    .select(columns(tables))
    .from(clients)
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(idleSince(tables, cutoff))
    .orderBy(asc(clients.createdAt), asc(clients.applicationId))
    .limit(limit);
}

/** Deletes the client with its application if it is still idle, and makes `also`, all or none. */
export function pruneClient(db: Db, clientId: string, cutoff: number, also: readonly WriteQuery[]): Promise<boolean> {
  const { tables } = db;
  const { applications, clients } = tables;
  const own = db
    .select({ id: clients.applicationId })
    .from(clients)
    .where(and(eq(clients.id, clientId), idleSince(tables, cutoff)));
  return db.guarded(
    db.delete(applications).where(sql`${applications.id} in ${own}`).returning({ id: applications.id }),
    also,
  );
}
