import type { Maker } from "@gatehouse/accounts";
import type { Environment, Hash } from "@gatehouse/auth";
import { and, count, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { writeIfStillAuthorized } from "./authorized-writes.ts";

/** An API token without the secret itself. Times are Unix seconds. */
export type ApiTokenRow = {
  id: string;
  hash: Hash;
  hint: string;
  name: string;
  makerId: string;
  scopes: string[];
  environments: Environment[];
  clientId: string | null;
  firstPartyOrigins: string[];
  createdAt: number;
  expiresAt: number;
  endedAt: number | null;
  lastUsedAt: number | null;
};

/** With what its maker is called now. */
export type ListedApiToken = Omit<ApiTokenRow, "hash"> & { makerName: string };

const listed = ({ apiTokens: t, users }: ReadDb["tables"]) => ({
  id: t.id,
  hint: t.hint,
  name: t.name,
  makerId: t.makerId,
  makerName: sql<string>`${users.name}`,
  scopes: t.scopes,
  environments: t.environments,
  clientId: t.clientId,
  firstPartyOrigins: t.firstPartyOrigins,
  createdAt: t.createdAt,
  expiresAt: t.expiresAt,
  endedAt: t.endedAt,
  lastUsedAt: t.lastUsedAt,
});

/**
 * Adds a token, and makes `also` in the same transaction. False, without effect, if its maker's credential has ended.
 */
export function insertApiToken(
  db: Db,
  token: ApiTokenRow,
  { maker, also = [] }: { maker?: Maker | undefined; also?: readonly WriteQuery[] } = {},
): Promise<boolean> {
  return writeIfStillAuthorized(db, maker, [db.insert(db.tables.apiTokens).values(token), ...also]);
}

/** The token with this hash and the user who made it, live or not. */
export async function findApiToken(db: ReadDb, hash: Hash) {
  const { apiTokens: t, users } = db.tables;
  const { email, name, role, disabledAt, deleteAfter } = users;
  const [row] = await db
    .select({ token: t, maker: { id: users.id, email, name, role, disabledAt, deleteAfter } })
    .from(t)
    .innerJoin(users, eq(users.id, t.makerId))
    .where(eq(t.hash, hash));
  return row;
}

/**
 * Newest first, including those that have ended. Every token has a maker: the left join has SQLite begin with the
 * tokens, not with all users.
 */
export function listApiTokenRows(db: ReadDb, limit: number): Promise<ListedApiToken[]> {
  const { tables } = db;
  const { apiTokens: t, users } = tables;
  return db
    .select(listed(tables))
    .from(t)
    .leftJoin(users, eq(users.id, t.makerId))
    .orderBy(desc(t.createdAt), desc(t.id))
    .limit(limit);
}

/** The token with this id, live or not. */
export async function findListedApiToken(db: ReadDb, id: string): Promise<ListedApiToken | undefined> {
  const { tables } = db;
  const { apiTokens: t, users } = tables;
  const [row] = await db.select(listed(tables)).from(t).innerJoin(users, eq(users.id, t.makerId)).where(eq(t.id, id));
  return row;
}

/** How many tokens are live. There is a limit on them, so the count is bounded. */
export async function countLiveApiTokens(db: ReadDb, now: number): Promise<number> {
  const { apiTokens: t } = db.tables;
  const [row] = await db
    .select({ count: count() })
    .from(t)
    .where(and(gt(t.expiresAt, now), isNull(t.endedAt)));
  return row?.count ?? 0;
}

/** Ends a live token, and makes `also` in the same transaction. False if there is none. */
export function endApiToken(db: Db, id: string, now: number, also: readonly WriteQuery[] = []): Promise<boolean> {
  const { apiTokens: t } = db.tables;
  const live = and(eq(t.id, id), isNull(t.endedAt), gt(t.expiresAt, now));
  return db.guarded(db.update(t).set({ endedAt: now }).where(live).returning({ id: t.id }), also);
}

/** The write that ends every token of a user. */
export function apiTokensEnd(db: Db, makerId: string, now: number): WriteQuery {
  const { apiTokens: t } = db.tables;
  return db
    .update(t)
    .set({ endedAt: now })
    .where(and(eq(t.makerId, makerId), isNull(t.endedAt)));
}

/** Records a use, unless one was recorded at `unlessSince` or later. */
export async function touchApiToken(
  db: Db,
  { id, now, unlessSince }: { id: string; now: number; unlessSince: number },
): Promise<void> {
  const { apiTokens: t } = db.tables;
  await db
    .update(t)
    .set({ lastUsedAt: now })
    .where(and(eq(t.id, id), or(isNull(t.lastUsedAt), lt(t.lastUsedAt, unlessSince))));
}
