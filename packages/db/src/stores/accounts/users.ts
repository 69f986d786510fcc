import type { Registrar, User } from "@gatehouse/auth";
import { and, eq, isNull } from "drizzle-orm";
import type { Db, ReadDb, Tables, WriteQuery } from "../../query/db.ts";
import { hasConsoleRole } from "../../schema/index-conditions.ts";

export type UserRow = User & {
  createdAt: number;
  registeredBy: Registrar | null;
  deleteAfter: number | null;
  lastSignedInAt: number | null;
};

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
  lastSignedInAt: users.lastSignedInAt,
});

/**
 * Adds a user, and makes `also` in the same transaction. Undefined if the email address is taken; of any number of
 * racing callers exactly one wins.
 */
export async function insertUser(
  db: Db,
  user: Omit<
    UserRow,
    "disabledAt" | "emailVerifiedAt" | "accessEpoch" | "signInEpoch" | "locale" | "deleteAfter" | "lastSignedInAt"
  > & {
    passwordHash: string | null;
  },
  also: readonly WriteQuery[] = [],
): Promise<UserRow | undefined> {
  const { users } = db.tables;
  const insert = db.insert(users).values(user).onConflictDoNothing({ target: users.email }).returning({ id: users.id });
  return (await db.guarded(insert, also)) ? findUser(db, user.id) : undefined;
}

export async function findUser(db: ReadDb, id: string): Promise<UserRow | undefined> {
  const { tables } = db;
  const [row] = await db.select(userView(tables)).from(tables.users).where(eq(tables.users.id, id));
  return row;
}

/** `email` in lower case, as stored. */
export async function findUserByEmail(
  db: ReadDb,
  email: string,
): Promise<(UserRow & { passwordHash: string | null }) | undefined> {
  const { tables } = db;
  const [row] = await db
    .select({ ...userView(tables), passwordHash: tables.users.passwordHash })
    .from(tables.users)
    .where(eq(tables.users.email, email));
  return row;
}

/** Is there an enabled admin? */
export async function hasAdmin(db: ReadDb): Promise<boolean> {
  const { users } = db.tables;
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, "admin"), hasConsoleRole(users), isNull(users.disabledAt), isNull(users.deleteAfter)))
    .limit(1);
  return rows.length > 0;
}
