import type { Registrar, Role } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { bigint, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";

export const users = pgTable(
  "users",
  {
    id: text().primaryKey(),
    email: text().notNull(),
    name: text().notNull(),
    passwordHash: text("password_hash").notNull(),
    role: text().$type<Role>().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    disabledAt: bigint("disabled_at", { mode: "number" }),
    registeredBy: text("registered_by").$type<Registrar>(),
    emailVerifiedAt: bigint("email_verified_at", { mode: "number" }),
    accessEpoch: bigint("access_epoch", { mode: "number" }).notNull().default(0),
  },
  (table) => [
    uniqueIndex("users_email").on(table.email),
    index("users_created_at").on(table.createdAt, table.id),
    // For the few who have a role in the console.
    index("users_role").on(table.role, table.createdAt, table.id).where(sql`${table.role} <> 'user'`),
  ],
);
