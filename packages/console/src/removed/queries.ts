import type { Environment } from "@gatehouse/auth";
import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";
import { contains, type Position } from "@gatehouse/db/query/page";
import { type FoundRows, scanPage } from "@gatehouse/db/query/scan";
import { RESTORABLE_SECONDS, type RemovedRows } from "@gatehouse/db/schema/removed-rows";
import { usageWrites } from "@gatehouse/db/stores/stats/usage-writes";
import { and, eq, getTableColumns, gt, inArray, or, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { lastTokens } from "../clients/usage-queries.ts";
import type { RemovedFilter } from "../lists/lists.ts";

/** A removed application or client. `removedBy`: the name of who removed it; `removedAt` in Unix seconds. */
export type RemovedObject = {
  id: string;
  kind: "application" | "client";
  name: string;
  environment: Environment | null;
  applicationId: string;
  applicationName: string;
  rows: RemovedRows;
  removedAt: number;
  removedBy: string;
};

type By = Pick<RemovedObject, "removedAt" | "removedBy">;

/**
 * Deletes an application with its clients and all their tokens, keeps its settings for {@link restoreApplicationRows},
 * and makes `also` in the same transaction. False if it is not as `version` and `clients` say: then nothing is removed.
 */
export async function moveApplicationToRemoved(
  db: Db,
  application: { id: string; name: string; version: number },
  clients: readonly { id: string; version: number }[],
  by: By,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { tables } = db;
  const { id, name, version } = application;
  const rows = await readApplicationRows(db, id);
  const removed: RemovedObject = {
    ...by,
    id,
    kind: "application",
    name,
    environment: null,
    applicationId: id,
    applicationName: name,
    rows,
  };
  const ofIt = eq(tables.clients.applicationId, id);
  const asRead = or(
    ...clients.map((one) => and(eq(tables.clients.id, one.id), eq(tables.clients.version, one.version))),
  );
  const same = db.select({ count: sql`count(*)` }).from(tables.clients).where(and(ofIt, asRead));
  const all = db.select({ count: sql`count(*)` }).from(tables.clients).where(ofIt);
  const removal = db
    .delete(tables.applications)
    .where(
      and(
        eq(tables.applications.id, id),
        eq(tables.applications.version, version),
        sql`${all} = ${clients.length}`,
        clients.length > 0 ? sql`${same} = ${clients.length}` : undefined,
      ),
    )
    .returning({ id: tables.applications.id });
  return db.guarded(removal, [...keeping(db, removed), ...also]);
}

/**
 * Deletes a client with its secrets, grants and tokens, keeps its settings for {@link restoreClientRow}, and makes
 * `also` in the same transaction. False if there is none at this version.
 */
export async function moveClientToRemoved(
  db: Db,
  client: Pick<RemovedObject, "id" | "name" | "environment" | "applicationId" | "applicationName"> & {
    version: number;
  },
  by: By,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { tables } = db;
  const { version, ...object } = client;
  const found = await db.select().from(tables.clients).where(eq(tables.clients.id, client.id));
  const rows = { application: null, branding: null, clients: found, lastTokens: await lastTokensOf(db, [client.id]) };
  const removal = db
    .delete(tables.clients)
    .where(and(eq(tables.clients.id, client.id), eq(tables.clients.version, version)))
    .returning({ id: tables.clients.id });
  return db.guarded(removal, [...keeping(db, { ...object, ...by, kind: "client", rows }), ...also]);
}

async function readApplicationRows(db: ReadDb, id: string): Promise<RemovedRows> {
  const { applications, applicationBranding, clients } = db.tables;
  const [application] = await db.select().from(applications).where(eq(applications.id, id));
  const [branding] = await db.select().from(applicationBranding).where(eq(applicationBranding.applicationId, id));
  const rows = await db.select().from(clients).where(eq(clients.applicationId, id));
  const ids = rows.map((client) => client.id);
  return {
    application: application ?? null,
    branding: branding ? { ...branding, logo: branding.logo && Buffer.from(branding.logo).toString("base64") } : null,
    clients: rows,
    lastTokens: await lastTokensOf(db, ids),
  };
}

/** The sweeper deletes them once the clients are gone. */
async function lastTokensOf(db: ReadDb, clientIds: readonly string[]): Promise<Record<string, number>> {
  return Object.fromEntries(
    (await lastTokens(db, clientIds)).map(({ clientId, lastTokenAt }) => [clientId, lastTokenAt]),
  );
}

/** Puts back when the clients last got a token, also for the list of applications. */
function restoredUse(
  db: Db,
  { applicationId, rows: { lastTokens: times = {} } }: Pick<RemovedObject, "applicationId" | "rows">,
) {
  const rows = Object.entries(times).map(([clientId, lastTokenAt]) => ({ clientId, lastTokenAt }));
  if (rows.length === 0) return [];
  const application = { applicationId, lastTokenAt: Math.max(...Object.values(times)), refusals: 0 };
  const nothing = { clients: [], secrets: [], uris: [], scopes: [], refusalHours: [] };
  return usageWrites(db, { ...nothing, lastTokens: rows, applications: [application] });
}

function keeping(db: Db, removed: RemovedObject): WriteQuery[] {
  const { tables } = db;
  const { removedAt, applicationId } = removed;
  const ids = removed.rows.clients.map((client) => ({
    id: String(client["id"]),
    clientName: String(client["name"]),
    applicationId,
    removedAt,
  }));
  return [
    db.insert(tables.removedObjects).values(removed),
    ...(ids.length > 0 ? [db.insert(tables.usedClientIds).values(ids).onConflictDoNothing()] : []),
  ];
}

/** What can still be restored at `now`. */
export async function findRemoved(db: ReadDb, id: string, now: number): Promise<RemovedObject | undefined> {
  const { removedObjects: r } = db.tables;
  const [row] = await db
    .select()
    .from(r)
    .where(and(eq(r.id, id), gt(r.removedAt, now - RESTORABLE_SECONDS)));
  return row;
}

/** What can still be restored at `now`, newest first. */
export function listRemoved(
  db: ReadDb,
  { query, now }: RemovedFilter & { now: number },
  position: Position | undefined,
  limit: number,
): Promise<FoundRows<RemovedObject>> {
  const { removedObjects: r } = db.tables;
  const residual =
    query === undefined ? undefined : or(contains(r.name, query), contains(r.applicationName, query), eq(r.id, query));
  const index = { table: r, at: r.removedAt, id: r.id };
  return scanPage(db, { index, from: now - RESTORABLE_SECONDS + 1, residual, position, limit }, (condition, order) =>
    db
      .select()
      .from(r)
      .where(condition)
      .orderBy(...order)
      .limit(limit + 1),
  );
}

/** Whether this id belonged to a client that was removed. Such an id is never given to another client. CO-44. */
export async function findUsedClientId(
  db: ReadDb,
  id: string,
): Promise<{ id: string; clientName: string; applicationId: string; removedAt: number } | undefined> {
  const { usedClientIds: u } = db.tables;
  const [row] = await db.select().from(u).where(eq(u.id, id));
  return row;
}

/**
 * Restores an application with its branding and clients, without their secrets, and makes `also` in the same
 * transaction. False if the name is taken, or if it was restored already.
 */
export function restoreApplicationRows(
  db: Db,
  removed: RemovedObject,
  name: string,
  now: number,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { applications, applicationBranding: b, clients } = db.tables;
  const { rows } = removed;
  const application = db
    .insert(applications)
    .values({
      ...known(applications, { ...rows.application, name }),
      ...raised(rows.application),
    } as typeof applications.$inferInsert)
    .onConflictDoNothing()
    .returning({ id: applications.id });
  return db.guarded(application, [
    ...noLongerRemoved(db, removed),
    ...(rows.branding ? [db.insert(b).values(known(b, withLogo(rows.branding)) as typeof b.$inferInsert)] : []),
    ...rows.clients.map((client) => db.insert(clients).values(restoredClient(db, client, now))),
    ...restoredUse(db, removed),
    ...also,
  ]);
}

/**
 * Restores a client without its secrets, and makes `also` in the same transaction. False if its application has another
 * client of this name in its environment, or if it was restored already.
 */
export function restoreClientRow(
  db: Db,
  removed: RemovedObject,
  name: string,
  now: number,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { clients } = db.tables;
  const restored = db
    .insert(clients)
    .values(restoredClient(db, { ...removed.rows.clients[0], name }, now))
    .onConflictDoNothing()
    .returning({ id: clients.id });
  return db.guarded(restored, [...noLongerRemoved(db, removed), ...restoredUse(db, removed), ...also]);
}

function noLongerRemoved(db: Db, { id, rows }: Pick<RemovedObject, "id" | "rows">): WriteQuery[] {
  const { removedObjects, usedClientIds } = db.tables;
  const ids = rows.clients.map((client) => String(client["id"]));
  return [
    db.delete(removedObjects).where(eq(removedObjects.id, id)),
    ...(ids.length > 0 ? [db.delete(usedClientIds).where(inArray(usedClientIds.id, ids))] : []),
  ];
}

type Row = Record<string, unknown>;

function restoredClient({ tables: { clients } }: Db, row: Row, now: number): typeof clients.$inferInsert {
  const accessEpoch = Math.max(Number(row["accessEpoch"] ?? 0) + 1, now); // its tokens from before stay dead
  return { ...known(clients, row), ...raised(row), accessEpoch, updatedAt: now } as typeof clients.$inferInsert;
}

/** The members that are columns still. A later version of the program can have dropped one. */
function known(table: PgTable, row: Row): Row {
  const columns = getTableColumns(table);
  return Object.fromEntries(Object.entries(row).filter(([name]) => name in columns));
}

/** An editor that was open during the removal gets a conflict. CO-45. */
const raised = (row: Row | null): Row => ({ version: Number(row?.["version"] ?? 1) + 1 });

const withLogo = ({ logo, ...row }: Row): Row => ({
  ...row,
  logo: typeof logo === "string" ? Buffer.from(logo, "base64") : null,
});
