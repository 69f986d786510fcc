import type { Registrar, Role } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** People who can sign in. `email` is stored in lower case. Disabling a user ends sessions, codes and tokens for good. */
export const users = sqliteTable(
  "users",
  {
    id: text().primaryKey(),
    email: text().notNull(),
    name: text().notNull(),
    /** argon2id, encoded form. */
    passwordHash: text("password_hash").notNull(),
    role: text().$type<Role>().notNull(),
    createdAt: integer("created_at").notNull(),
    disabledAt: integer("disabled_at"),
    /** Who created the account: `self` on the sign-up page, or an `operator` (console, command line, file, first start); null for accounts from before this was recorded. */
    registeredBy: text("registered_by").$type<Registrar>(),
    /** When the person proved that they own the address. */
    emailVerifiedAt: integer("email_verified_at"),
    /** Incrementing it ends every session and grant of the user in one statement: those from an earlier epoch are dead. */
    accessEpoch: integer("access_epoch").notNull().default(0),
  },
  (table) => [
    uniqueIndex("users_email").on(table.email),
    index("users_created_at").on(table.createdAt, table.id),
    // For the few users with a role in the console.
    index("users_role").on(table.role, table.createdAt, table.id).where(sql`${table.role} <> 'user'`),
  ],
);
