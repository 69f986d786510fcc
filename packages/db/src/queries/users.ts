import type { Role, User } from "@gatehouse/auth";
import { and, desc, eq, or, sql } from "drizzle-orm";
import type { Handle } from "../handle.ts";
import { after, contains, type Position } from "./page.ts";

export type UserRow = User & { createdAt: number };

const view = ({ users }: Handle["tables"]) => ({
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  createdAt: users.createdAt,
  disabledAt: users.disabledAt,
});

/** Adds a user. Undefined when the e-mail address is taken; of any number of racers exactly one wins. */
export async function insertUser(
  { db, tables }: Handle,
  user: Omit<UserRow, "disabledAt"> & { passwordHash: string },
): Promise<UserRow | undefined> {
  const [row] = await db.insert(tables.users).values(user).onConflictDoNothing({ target: tables.users.email }).returning(view(tables));
  return row;
}

export async function findUser({ db, tables }: Handle, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select(view(tables)).from(tables.users).where(eq(tables.users.id, id));
  return row;
}

/** `email` in lower case, as stored. */
export async function findUserByEmail({ db, tables }: Handle, email: string): Promise<(UserRow & { passwordHash: string }) | undefined> {
  const [row] = await db
    .select({ ...view(tables), passwordHash: tables.users.passwordHash })
    .from(tables.users)
    .where(eq(tables.users.email, email));
  return row;
}

export type UserFilter = { query?: string | undefined; role?: Role | undefined };

/** Newest first; one row more than `limit` when there are more. */
export function listUserRows(
  { db, tables }: Handle,
  filter: UserFilter,
  position: Position | undefined,
  limit: number,
): Promise<UserRow[]> {
  const { users } = tables;
  return db
    .select(view(tables))
    .from(users)
    .where(
      and(
        filter.query ? or(contains(users.email, filter.query), contains(users.name, filter.query)) : undefined,
        filter.role ? eq(users.role, filter.role) : undefined,
        after(position, { at: users.createdAt, id: users.id }),
      ),
    )
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit + 1);
}

/** True of every user but the last enabled admin. Part of the statement that changes the user, so that racing changes see it. */
const notTheLastAdmin = ({ users }: Handle["tables"]) =>
  sql`(${users.role} <> 'admin' or ${users.disabledAt} is not null or exists (
    select 1 from ${users} as other where other.role = 'admin' and other.disabled_at is null and other.id <> ${users.id}))`;

/** Sets name and role. Undefined when there is no such user, or it is the last admin and would be none. */
export async function updateUserRow(
  { db, tables }: Handle,
  { id, name, role }: Pick<User, "id" | "name" | "role">,
): Promise<UserRow | undefined> {
  const { users } = tables;
  const [row] = await db
    .update(users)
    .set({ name, role })
    .where(and(eq(users.id, id), role === "admin" ? undefined : notTheLastAdmin(tables)))
    .returning(view(tables));
  return row;
}

export async function setPasswordHash({ db, tables }: Handle, id: string, passwordHash: string): Promise<void> {
  await db.update(tables.users).set({ passwordHash }).where(eq(tables.users.id, id));
}

/** Switches a user off or on; off twice keeps the first instant. Undefined when there is no such user, or it is the last admin. */
export async function setUserDisabledAt({ db, tables }: Handle, id: string, disabledAt: number | null): Promise<UserRow | undefined> {
  const { users } = tables;
  const [row] = await db
    .update(users)
    .set({ disabledAt: disabledAt === null ? null : sql`coalesce(${users.disabledAt}, ${disabledAt})` })
    .where(and(eq(users.id, id), disabledAt === null ? undefined : notTheLastAdmin(tables)))
    .returning(view(tables));
  return row;
}

/** Is there anybody who can manage the installation? */
export async function hasAdmin({ db, tables: { users } }: Handle): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, "admin"), sql`${users.disabledAt} is null`))
    .limit(1);
  return rows.length > 0;
}
