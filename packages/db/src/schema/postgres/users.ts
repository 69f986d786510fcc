import type { Registrar, Role } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { bigint, boolean, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { hasConsoleRole, isUnverifiedSignUp } from "../index-conditions.ts";

export const users = pgTable(
  "users",
  {
    id: text().primaryKey(),
    email: text().notNull(),
    name: text().notNull(),
    passwordHash: text("password_hash"),
    passwordSetAt: bigint("password_set_at", { mode: "number" }),
    mustChangePassword: boolean("must_change_password").notNull().default(false),
    role: text().$type<Role>().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    disabledAt: bigint("disabled_at", { mode: "number" }),
    registeredBy: text("registered_by").$type<Registrar>(),
    emailVerifiedAt: bigint("email_verified_at", { mode: "number" }),
    accessEpoch: bigint("access_epoch", { mode: "number" }).notNull().default(0),
    signInEpoch: bigint("sign_in_epoch", { mode: "number" }).notNull().default(0),
    locale: text(),
    webauthnUserId: text("webauthn_user_id"),
    lastSignedInAt: bigint("last_signed_in_at", { mode: "number" }),
    deleteAfter: bigint("delete_after", { mode: "number" }),
    externalId: text("external_id"),
    pictureId: text("picture_id"),
    profileChangedAt: bigint("profile_changed_at", { mode: "number" }),
  },
  (table) => [
    uniqueIndex("users_email").on(table.email),
    uniqueIndex("users_webauthn_user_id").on(table.webauthnUserId).where(sql`${table.webauthnUserId} is not null`),
    uniqueIndex("users_picture_id").on(table.pictureId).where(sql`${table.pictureId} is not null`),
    uniqueIndex("users_external_id").on(table.externalId).where(sql`${table.externalId} is not null`),
    index("users_name").on(sql`lower(${table.name})`, table.id),
    index("users_created_at").on(table.createdAt, table.id),
    index("users_delete_after").on(table.deleteAfter, table.id).where(sql`${table.deleteAfter} is not null`),
    index("users_disabled").on(table.createdAt, table.id).where(sql`${table.disabledAt} is not null`),
    index("users_unproved").on(table.createdAt, table.id).where(isUnverifiedSignUp(table)),
    index("users_unverified").on(table.createdAt, table.id).where(sql`${table.emailVerifiedAt} is null`),
    // For the few who have a role in the console.
    index("users_role").on(table.role, table.createdAt, table.id).where(hasConsoleRole(table)),
  ],
);
