import type { Registrar, Role, User } from "@gatehouse/auth";
import type { UserFilter } from "@gatehouse/lists";
import { and, type Column, eq, ne, or, type SQL, sql } from "drizzle-orm";
import type { Handle, ReadHandle, Tables } from "../query/handle.ts";
import { contains, type Position } from "./page.ts";
import { type Found, judged, scanPage } from "./scan.ts";

export type UserRow = User & { createdAt: number; registeredBy: Registrar | null; emailVerifiedAt: number | null };

const view = ({ users }: Tables) => ({
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  createdAt: users.createdAt,
  disabledAt: users.disabledAt,
  registeredBy: users.registeredBy,
  emailVerifiedAt: users.emailVerifiedAt,
  accessEpoch: users.accessEpoch,
});

/** Adds a user. Undefined if the email address is taken; of any number of racing callers exactly one wins. */
export async function insertUser(
  { db, tables }: Handle,
  user: Omit<UserRow, "disabledAt" | "emailVerifiedAt" | "accessEpoch"> & { passwordHash: string },
): Promise<UserRow | undefined> {
  const [row] = await db.insert(tables.users).values(user).onConflictDoNothing({ target: tables.users.email }).returning(view(tables));
  return row;
}

export async function findUser({ db, tables }: ReadHandle, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select(view(tables)).from(tables.users).where(eq(tables.users.id, id));
  return row;
}

/** `email` in lower case, as stored. */
export async function findUserByEmail(
  { db, tables }: ReadHandle,
  email: string,
): Promise<(UserRow & { passwordHash: string }) | undefined> {
  const [row] = await db
    .select({ ...view(tables), passwordHash: tables.users.passwordHash })
    .from(tables.users)
    .where(eq(tables.users.email, email));
  return row;
}

/**
 * Newest first. `first` is the user with exactly this email address or id, however old, on the first page only. `maxRows`: how many rows to
 * examine if no index serves the filter.
 */
export async function listUserRows(
  handle: ReadHandle,
  { query, role }: UserFilter,
  position: Position | undefined,
  limit: number,
  maxRows?: number,
): Promise<Found<UserRow>> {
  const { db, tables } = handle;
  const { users } = tables;
  const equal = role === undefined || role === "user" ? undefined : { column: users.role, value: role };
  const index = { table: users, at: users.createdAt, id: users.id, equal, partial: equal && inConsole(users.role) };
  const exact = query ? await exactUser(handle, query, role) : undefined;
  const residual = and(
    query ? or(contains(users.email, query), contains(users.name, query)) : undefined,
    equal ? undefined : judged(users.role, role),
    exact && ne(users.id, exact.id),
  );
  const found = await scanPage(handle, { index, residual, position, limit, maxRows }, (condition, order) =>
    db
      .select(view(tables))
      .from(users)
      .where(condition)
      .orderBy(...order)
      .limit(limit + 1),
  );
  return exact && !position ? { ...found, first: exact } : found;
}

async function exactUser({ db, tables }: ReadHandle, query: string, role: Role | undefined): Promise<UserRow | undefined> {
  const { users } = tables;
  // One lookup per index: a single query would be a scan.
  for (const matches of [eq(users.email, query.toLowerCase()), eq(users.id, query)]) {
    const [row] = await db.select(view(tables)).from(users).where(matches);
    if (row) return role === undefined || row.role === role ? row : undefined;
  }
  return undefined;
}

/** The condition of the partial index on the role. */
const inConsole = (role: Column): SQL => sql`${role} <> 'user'`;

/** Is there an enabled admin? */
export async function hasAdmin({ db, tables: { users } }: ReadHandle): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, "admin"), inConsole(users.role), sql`${users.disabledAt} is null`))
    .limit(1);
  return rows.length > 0;
}
