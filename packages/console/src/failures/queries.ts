import type { Environment, Refusal } from "@gatehouse/auth";
import type { ReadDb, Tables } from "@gatehouse/db/query/db";
import type { Position } from "@gatehouse/db/query/page";
import { equalsUnindexed, type FoundRows, scanPage } from "@gatehouse/db/query/scan";
import { and, eq, exists, sql } from "drizzle-orm";
import { type NamedClientColumns, namedClientColumns } from "../clients/named-client.ts";
import type { RefusalFilter } from "../lists/lists.ts";
import { inState } from "./group-queries.ts";

/** A refusal with the client that it names; null if there is no such client. */
export type RefusalRow = Refusal & NamedClientColumns & { groupKey: string | null };

const rowColumns = ({ refusals, ...tables }: Tables) => ({
  errorId: refusals.errorId,
  at: refusals.at,
  endpoint: refusals.endpoint,
  error: refusals.error,
  cause: refusals.cause,
  message: refusals.message,
  detail: refusals.detail,
  clientId: refusals.clientId,
  address: refusals.address,
  groupKey: refusals.groupKey,
  ...namedClientColumns(tables),
});

export async function findRefusal(db: ReadDb, errorId: string): Promise<RefusalRow | undefined> {
  const { tables } = db;
  const { refusals, clients, applications } = tables;
  const [row] = await db
    .select(rowColumns(tables))
    .from(refusals)
    .leftJoin(clients, eq(clients.id, refusals.clientId))
    .leftJoin(applications, eq(applications.id, clients.applicationId))
    .where(eq(refusals.errorId, errorId));
  return row;
}

/**
 * Newest first; with `group` by the index of groups. `now` decides which groups are muted. `maxRows`: how many rows to
 * examine.
 */
export function listRefusalRows(
  db: ReadDb,
  {
    clientId,
    cause,
    endpoint,
    environment,
    address,
    userId,
    group,
    state,
    from,
    to,
    now,
  }: RefusalFilter & { now: number },
  position: Position | undefined,
  limit: number,
  maxRows?: number,
): Promise<FoundRows<RefusalRow>> {
  const { tables } = db;
  const { refusals, clients, applications } = tables;
  // One index serves the group or the user; beside a group, the user is checked row by row.
  const ofGroup = group === undefined ? undefined : { column: refusals.groupKey, value: group };
  const ofUser = ofGroup || userId === undefined ? undefined : { column: refusals.userId, value: userId };
  const partial = ofUser && sql`${refusals.userId} is not null`;
  const index = { table: refusals, equal: ofGroup ?? ofUser, partial, at: refusals.at, id: refusals.errorId };
  const residual = and(
    equalsUnindexed(refusals.clientId, clientId),
    equalsUnindexed(refusals.cause, cause),
    equalsUnindexed(refusals.endpoint, endpoint),
    equalsUnindexed(refusals.address, address),
    ofUser ? undefined : equalsUnindexed(refusals.userId, userId),
    environment && exists(clientOf(db, environment)),
    state && exists(groupOf(db, state, now)),
  );
  return scanPage(db, { index, from, to, residual, position, limit, maxRows }, (condition, order) =>
    db
      .select(rowColumns(tables))
      .from(refusals)
      .leftJoin(clients, eq(clients.id, refusals.clientId))
      .leftJoin(applications, eq(applications.id, clients.applicationId))
      .where(condition)
      .orderBy(...order)
      .limit(limit + 1),
  );
}

/** The client that the refusal names, if it is of this environment. */
function clientOf(db: ReadDb, environment: Environment) {
  const { clients, refusals } = db.tables;
  return db
    .select({ one: sql`1` })
    .from(clients)
    .where(and(eq(clients.id, refusals.clientId), eq(clients.environment, environment)));
}

/** The group of the refusal, if it is in this state. */
function groupOf(db: ReadDb, state: NonNullable<RefusalFilter["state"]>, now: number) {
  const { refusalGroups, refusals } = db.tables;
  return db
    .select({ one: sql`1` })
    .from(refusalGroups)
    .where(and(eq(refusalGroups.key, refusals.groupKey), inState(refusalGroups, state, now)));
}
