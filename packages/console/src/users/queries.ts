import type { ReadDb, Tables } from "@gatehouse/db/query/db";
import type { Position } from "@gatehouse/db/query/page";
import { equalsUnindexed, type FoundRows, scanPage } from "@gatehouse/db/query/scan";
import { hasConsoleRole } from "@gatehouse/db/schema/index-conditions";
import { type UserRow, userView } from "@gatehouse/db/stores/accounts/users";
import {
  and,
  asc,
  eq,
  exists,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { UserFilter } from "../lists/lists.ts";

/**
 * Newest first. `first` is the user with exactly this email address or id, however old, on the first page only. A
 * `query` finds those whose email address or name begins with it: of each, the first {@link PREFIX_MATCHES} in the
 * alphabet, unless the role or status narrows the list down by itself. `maxRows`: how many rows to examine if no index
 * serves the filter. CO-62, UM-02.
 */
export async function listUserRows(
  db: ReadDb,
  { query, role, status, secondFactor, ...signIn }: UserFilter,
  position: Position | undefined,
  limit: number,
  maxRows?: number,
): Promise<FoundRows<UserRow>> {
  const { tables } = db;
  const { users } = tables;
  const equal = role === undefined || role === "user" ? undefined : { column: users.role, value: role };
  const ofStatus = status === undefined ? undefined : statusCondition(tables, status);
  // One index serves the role or the status; the other one is checked row by row.
  const partial = equal ? hasConsoleRole(users) : ofStatus?.partial;
  const index = { table: users, at: users.createdAt, id: users.id, equal, partial };
  const matches = and(
    equal ? undefined : equalsUnindexed(users.role, role),
    ofStatus && (equal || !ofStatus.partial) ? ofStatus.condition : undefined,
    secondFactor === undefined ? undefined : hasSecondFactor(db, secondFactor === "some"),
    lastSignedIn(tables, signIn),
  );
  const exact = query
    ? await exactUser(db, query, and(ofStatus?.condition, matches, equal && eq(users.role, equal.value)))
    : undefined;
  const residual = and(
    query ? or(emailBegins(tables, query), nameBegins(tables, query)) : undefined,
    matches,
    exact && ne(users.id, exact.id),
  );
  const ids = query && !partial ? await idsByPrefix(db, query) : undefined;
  if (ids) {
    const filter = and(matches, ofStatus?.condition, exact && ne(users.id, exact.id));
    const rows = await newestOf(db, ids, { filter, position, limit });
    return { rows, searchedTo: undefined, ...(exact && !position && { first: exact }) };
  }
  const found = await scanPage(db, { index, residual, position, limit, maxRows }, (condition, order) =>
    db
      .select(userView(tables))
      .from(users)
      .where(condition)
      .orderBy(...order)
      .limit(limit + 1),
  );
  return exact && !position ? { ...found, first: exact } : found;
}

/** A counter that triggers keep: counting a million rows takes too long. */
export async function countUserRows(db: ReadDb): Promise<number> {
  const { totals } = db.tables;
  const [row] = await db.select({ count: totals.count }).from(totals).where(eq(totals.name, "users"));
  return row?.count ?? 0;
}

/**
 * A search finds so many users by an index on the address or the name. A more common prefix is searched for from the
 * newest user on.
 */
const PREFIX_MATCHES = 2_000;

/** Every text that begins with this one is below it, compared by bytes: the highest code point follows it. */
const above = (prefix: string) => `${prefix}\u{10FFFF}`;

/** Addresses are stored in lower case. */
function emailBegins({ users }: Tables, typed: string): SQL | undefined {
  const prefix = typed.toLowerCase();
  return and(gte(users.email, prefix), lt(users.email, above(prefix)));
}

/** `lower` of a column that is compared by bytes changes ASCII letters only, on both engines. */
function nameBegins({ users }: Tables, typed: string): SQL | undefined {
  const prefix = typed.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const key = sql`lower(${users.name})`;
  return and(sql`${key} >= ${prefix}`, sql`${key} < ${above(prefix)}`);
}

/** The ids that an index on the address or on the name finds; undefined if there are too many. */
async function idsByPrefix(db: ReadDb, query: string): Promise<string[] | undefined> {
  const { tables } = db;
  const { users } = tables;
  const most = PREFIX_MATCHES + 1;
  const byEmail = await db
    .select({ id: users.id })
    .from(users)
    .where(emailBegins(tables, query))
    .orderBy(asc(users.email))
    .limit(most);
  if (byEmail.length === most) return undefined;
  const byName = await db
    .select({ id: users.id })
    .from(users)
    .where(nameBegins(tables, query))
    .orderBy(sql`lower(${users.name})`, asc(users.id))
    .limit(most);
  if (byName.length === most) return undefined;
  return [...new Set([...byEmail, ...byName].map(({ id }) => id))];
}

/** Those of these users that match, newest first, below `position`; one more than `limit` if there are more. */
async function newestOf(
  db: ReadDb,
  ids: readonly string[],
  { filter, position, limit }: { filter: SQL | undefined; position: Position | undefined; limit: number },
): Promise<UserRow[]> {
  const { tables } = db;
  const { users } = tables;
  if (ids.length === 0) return [];
  const matching = await db
    .select({ id: users.id, createdAt: users.createdAt })
    .from(users)
    .where(and(inArray(users.id, [...ids]), filter));
  const below = ({ createdAt, id }: Pick<UserRow, "createdAt" | "id">) =>
    !position || createdAt < position.at || (createdAt === position.at && id < position.id);
  const newest = matching
    .filter(below)
    .sort(newestFirst)
    .slice(0, limit + 1);
  if (newest.length === 0) return [];
  const rows = await db
    .select(userView(tables))
    .from(users)
    .where(
      inArray(
        users.id,
        newest.map(({ id }) => id),
      ),
    );
  return rows.sort(newestFirst);
}

function newestFirst(one: Pick<UserRow, "createdAt" | "id">, other: Pick<UserRow, "createdAt" | "id">): number {
  return other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1);
}

/** The condition of a status, and the same as the condition of a partial index if there is one. */
function statusCondition(
  { users }: Tables,
  status: NonNullable<UserFilter["status"]>,
): { condition: SQL; partial?: SQL } {
  const indexed = (condition: SQL) => ({ condition, partial: condition });
  if (status === "disabled") return indexed(sql`${users.disabledAt} is not null`);
  if (status === "unverified") return indexed(sql`${users.emailVerifiedAt} is null`);
  if (status === "deleting") return { condition: sql`${users.deleteAfter} is not null` };
  return { condition: sql`(${users.disabledAt} is null and ${users.deleteAfter} is null)` };
}

/** Matches users with an authenticator app or a passkey, or those without. */
function hasSecondFactor(db: ReadDb, wanted: boolean): SQL | undefined {
  const { users, totpSecrets, passkeys } = db.tables;
  const one = { one: sql`1` };
  const app = db.select(one).from(totpSecrets).where(eq(totpSecrets.userId, users.id));
  const passkey = db.select(one).from(passkeys).where(eq(passkeys.userId, users.id));
  return wanted ? or(exists(app), exists(passkey)) : and(notExists(app), notExists(passkey));
}

/** No index has the time: each user would be written to it at each sign-in. */
function lastSignedIn(
  { users: { lastSignedInAt } }: Tables,
  { lastSignIn, signedInFrom, signedInTo }: Pick<UserFilter, "lastSignIn" | "signedInFrom" | "signedInTo">,
): SQL | undefined {
  return and(
    lastSignIn === "never" ? isNull(lastSignedInAt) : undefined,
    lastSignIn === "some" ? isNotNull(lastSignedInAt) : undefined,
    signedInFrom === undefined ? undefined : gte(lastSignedInAt, signedInFrom),
    signedInTo === undefined ? undefined : lte(lastSignedInAt, signedInTo),
  );
}

async function exactUser(db: ReadDb, query: string, filter: SQL | undefined): Promise<UserRow | undefined> {
  const { tables } = db;
  const { users } = tables;
  // One lookup per index: a single query would be a scan.
  for (const matches of [eq(users.email, query.toLowerCase()), eq(users.id, query)]) {
    const [row] = await db.select(userView(tables)).from(users).where(and(matches, filter));
    if (row) return row;
  }
  return undefined;
}
