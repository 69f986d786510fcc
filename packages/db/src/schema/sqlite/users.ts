import type { Registrar, Role } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { hasConsoleRole, isUnverifiedSignUp } from "../index-conditions.ts";

/**
 * People who can sign in. `email` is stored as `normaliseEmail` returns it. Disabling a user ends sessions, codes and
 * tokens for good. A user whose `delete_after` is set can only restore the account; the row is deleted at that time.
 * RG-10. Were there tenants, only the address and the imported id could collide between them. OR-01.
 */
export const users = sqliteTable(
  "users",
  {
    id: text().primaryKey(),
    email: text().notNull(),
    name: text().notNull(),
    /**
     * In encoded form: argon2id, or what an import brought until the first sign-in. Null for users who sign in without
     * a password.
     */
    passwordHash: text("password_hash"),
    passwordSetAt: integer("password_set_at"),
    /** Whether the next sign-in with the password has to choose a new one. PW-04, UM-03. */
    mustChangePassword: integer("must_change_password", { mode: "boolean" }).notNull().default(false),
    role: text().$type<Role>().notNull(),
    createdAt: integer("created_at").notNull(),
    disabledAt: integer("disabled_at"),
    /**
     * Who created the account: `self` on the sign-up page, or an `operator` (console, command line, file, first start);
     * null for accounts from before this was recorded.
     */
    registeredBy: text("registered_by").$type<Registrar>(),
    /** When the person proved that they own the address. */
    emailVerifiedAt: integer("email_verified_at"),
    /**
     * Incrementing it ends every session and grant of the user in one statement: those from an earlier epoch are dead.
     */
    accessEpoch: integer("access_epoch").notNull().default(0),
    /**
     * Incrementing it ends what a sign-in left behind: unfinished sign-ins, remembered and known browsers, mailed
     * links.
     */
    signInEpoch: integer("sign_in_epoch").notNull().default(0),
    /** BCP 47 tag of the chosen language. */
    locale: text(),
    /** The user handle of the user's passkeys: 64 random bytes, base64url; made with the first one. */
    webauthnUserId: text("webauthn_user_id"),
    /** When the newest sign-in began a session; null before the first one. */
    lastSignedInAt: integer("last_signed_in_at"),
    /** When the row is deleted, because the user asked for it. */
    deleteAfter: integer("delete_after"),
    /** The user's id in the system that an import came from. */
    externalId: text("external_id"),
    /**
     * Random, and the only thing that the public URL of the picture has; new with each picture. Null without a picture.
     */
    pictureId: text("picture_id"),
    /** When the name, picture, language or address last changed; null if it never did. */
    profileChangedAt: integer("profile_changed_at"),
  },
  (table) => [
    uniqueIndex("users_email").on(table.email),
    uniqueIndex("users_webauthn_user_id").on(table.webauthnUserId).where(sql`${table.webauthnUserId} is not null`),
    uniqueIndex("users_picture_id").on(table.pictureId).where(sql`${table.pictureId} is not null`),
    uniqueIndex("users_external_id").on(table.externalId).where(sql`${table.externalId} is not null`),
    // With the one on the address, for the console's search by prefix; on PostgreSQL both columns are compared by
    // bytes.
    index("users_name").on(sql`lower(${table.name})`, table.id),
    index("users_created_at").on(table.createdAt, table.id),
    index("users_delete_after").on(table.deleteAfter, table.id).where(sql`${table.deleteAfter} is not null`),
    index("users_disabled").on(table.createdAt, table.id).where(sql`${table.disabledAt} is not null`),
    // For the sweeper; the next one is for the console.
    index("users_unproved").on(table.createdAt, table.id).where(isUnverifiedSignUp(table)),
    index("users_unverified").on(table.createdAt, table.id).where(sql`${table.emailVerifiedAt} is null`),
    // For the few users with a role in the console.
    index("users_role").on(table.role, table.createdAt, table.id).where(hasConsoleRole(table)),
  ],
);
