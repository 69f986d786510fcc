import { timeOfId, timeOrderedIdsFrom } from "@gatehouse/auth";
import { type AuditRow, auditColumns } from "@gatehouse/db/audit";
import type { ReadDb } from "@gatehouse/db/query/db";
import { contains, type Position } from "@gatehouse/db/query/page";
import { equalsUnindexed, type FoundRows, scanPage } from "@gatehouse/db/query/scan";
import { and, desc, eq, gte, lt, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { AuditFilter } from "../lists/lists.ts";

/** A row of the log as lists show it. `number` is null until it is sealed. */
export type ListedAuditRow = Required<AuditRow> & { number: number | null; mac: string | null };

const listed = ({ audit }: ReadDb["tables"]) => ({ ...auditColumns(audit), number: audit.number, mac: audit.mac });

/**
 * Newest first. `actor` and `object` are an id, or part of a name; `action` is whole, or the noun before the dot. An
 * index serves an id; other filters are checked row by row. `maxRows`: how many rows to examine then.
 */
export async function listAuditRows(
  db: ReadDb,
  { actor, action, object, environment, from, to }: AuditFilter,
  position: Position | undefined,
  limit: number,
  maxRows?: number,
): Promise<FoundRows<ListedAuditRow>> {
  const { tables } = db;
  const { audit } = tables;
  const [byActor, byObject] = await Promise.all([isId(db, audit.actorId, actor), isId(db, audit.object, object)]);
  const equal = byObject
    ? { column: audit.object, value: object ?? "" }
    : byActor
      ? { column: audit.actorId, value: actor ?? "" }
      : undefined;
  const residual = and(
    byObject || object === undefined ? undefined : contains(audit.objectName, object),
    actor === undefined || (byActor && !byObject)
      ? undefined
      : or(equalsUnindexed(audit.actorId, actor), contains(audit.actorName, actor)),
    action === undefined ? undefined : actionIs(audit.action, action),
    equalsUnindexed(audit.environment, environment),
  );
  const index = { table: audit, id: audit.id, idsFrom: timeOrderedIdsFrom, timeOf: timeOfId, equal };
  return scanPage(db, { index, from, to, residual, position, limit, maxRows }, (condition, order) =>
    db
      .select(listed(tables))
      .from(audit)
      .where(condition)
      .orderBy(...order)
      .limit(limit + 1),
  );
}

const actionIs = (column: PgColumn, action: string): SQL =>
  action.includes(".")
    ? sql`${column} || '' = ${action}`
    : sql`substr(${column}, 1, ${action.length + 1}) = ${`${action}.`}`;

/** Whether an index finds rows by this value. */
async function isId(db: ReadDb, column: PgColumn, value: string | undefined): Promise<boolean> {
  const { audit } = db.tables;
  if (value === undefined) return false;
  const found = await db.select({ id: audit.id }).from(audit).where(eq(column, value)).limit(1);
  return found.length === 1;
}

/** One row, by its number or, as long as it has none, by its id. */
export async function findAuditRow(
  db: ReadDb,
  key: { number: number } | { id: string },
): Promise<ListedAuditRow | undefined> {
  const { tables } = db;
  const { audit } = tables;
  const [row] = await db
    .select(listed(tables))
    .from(audit)
    .where("number" in key ? eq(audit.number, key.number) : eq(audit.id, key.id))
    .limit(1);
  return row;
}

/** The rows about these objects, newest first, below the id `before`. Each object costs one lookup in an index. */
export async function listAuditHistory(
  db: ReadDb,
  { objects, before, limit }: { objects: readonly string[]; before?: string | undefined; limit: number },
): Promise<ListedAuditRow[]> {
  const { tables } = db;
  const { audit } = tables;
  const found = await Promise.all(
    objects.map((object) =>
      db
        .select(listed(tables))
        .from(audit)
        .where(and(eq(audit.object, object), before === undefined ? undefined : lt(audit.id, before)))
        .orderBy(desc(audit.id))
        .limit(limit),
    ),
  );
  return found
    .flat()
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}

/** When the last row of this action about an object was written, and by whom. */
export async function findLastAudit(
  db: ReadDb,
  { object, action }: { object: string; action: string },
): Promise<{ at: number; actorName: string } | undefined> {
  const { audit } = db.tables;
  const [row] = await db
    .select({ at: audit.at, actorName: audit.actorName })
    .from(audit)
    .where(and(eq(audit.object, object), sql`${audit.action} || '' = ${action}`))
    .orderBy(desc(audit.object), desc(audit.id))
    .limit(1);
  return row;
}

/** Who added a secret: the row of the log says at what time, and the secret's last four characters. */
export type SecretCreator = { at: number; actorName: string; detail: Record<string, unknown> };

/** How long after the secret's own time its row of the log can have been written. */
const SAME_CHANGE_SECONDS = 5;

/**
 * The rows about secrets that were added to a client at these times (Unix seconds). Each time costs one short range of
 * an index. CO-31.
 */
export async function listSecretCreators(
  db: ReadDb,
  clientId: string,
  addedAt: readonly number[],
): Promise<SecretCreator[]> {
  const { audit } = db.tables;
  if (addedAt.length === 0) return [];
  const ranges = [...new Set(addedAt)].map((at) =>
    and(gte(audit.id, timeOrderedIdsFrom(at)), lt(audit.id, timeOrderedIdsFrom(at + SAME_CHANGE_SECONDS))),
  );
  return db
    .select({ at: audit.at, actorName: audit.actorName, detail: audit.detail })
    .from(audit)
    .where(and(eq(audit.object, clientId), eq(audit.action, "client_secret.add"), or(...ranges)))
    .limit(2 * addedAt.length);
}
