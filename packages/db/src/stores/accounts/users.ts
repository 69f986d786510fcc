import type { Registrar, User } from "@gatehouse/auth";
import { and, eq, isNull } from "drizzle-orm";
import type { Handle, ReadHandle, Tables, WriteQuery } from "../../query/handle.ts";
import { hasConsoleRole } from "../../schema/index-conditions.ts";

export type UserRow = User & { createdAt: number; registeredBy: Registrar | null; deleteAfter: number | null };

/** The columns of a {@link UserRow}. */
export const userView = ({ users }: Tables) => ({
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  createdAt: users.createdAt,
  disabledAt: users.disabledAt,
  registeredBy: users.registeredBy,
  emailVerifiedAt: users.emailVerifiedAt,
  accessEpoch: users.accessEpoch,
  signInEpoch: users.signInEpoch,
  locale: users.locale,
  deleteAfter: users.deleteAfter,
});

/** Adds a user, and makes `also` in the same transaction. Undefined if the email address is taken; of any number of racing callers exactly one wins. */
export async function insertUser(
  handle: Handle,
  user: Omit<UserRow, "disabledAt" | "emailVerifiedAt" | "accessEpoch" | "signInEpoch" | "locale" | "deleteAfter"> & {
    passwordHash: string | null;
  },
  also: readonly WriteQuery[] = [],
): Promise<UserRow | undefined> {
  const { users } = handle.tables;
  const insert = handle.db.insert(users).values(user).onConflictDoNothing({ target: users.email }).returning({ id: users.id });
  return (await handle.guarded(insert, also)) ? findUser(handle, user.id) : undefined;
}

export async function findUser({ db, tables }: ReadHandle, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select(userView(tables)).from(tables.users).where(eq(tables.users.id, id));
  return row;
}

/** `email` in lower case, as stored. */
export async function findUserByEmail(
  { db, tables }: ReadHandle,
  email: string,
): Promise<(UserRow & { passwordHash: string | null }) | undefined> {
  const [row] = await db
    .select({ ...userView(tables), passwordHash: tables.users.passwordHash })
    .from(tables.users)
    .where(eq(tables.users.email, email));
  return row;
}

/** Is there an enabled admin? */
export async function hasAdmin({ db, tables: { users } }: ReadHandle): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, "admin"), hasConsoleRole(users), isNull(users.disabledAt), isNull(users.deleteAfter)))
    .limit(1);
  return rows.length > 0;
}
