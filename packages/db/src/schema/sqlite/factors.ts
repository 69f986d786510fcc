import type { Hash } from "@gatehouse/auth";
import { blob, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** A passkey. It works only under the `rp_id` it was made for. WA-01. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    /** base64url, as browsers send it. */
    credentialId: text("credential_id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** COSE key. */
    publicKey: blob("public_key", { mode: "buffer" }).notNull(),
    /** COSE algorithm. */
    algorithm: integer().notNull(),
    counter: integer().notNull(),
    transports: text({ mode: "json" }).$type<string[]>().notNull(),
    aaguid: text().notNull(),
    name: text().notNull(),
    backupEligible: integer("backup_eligible", { mode: "boolean" }).notNull(),
    backedUp: integer("backed_up", { mode: "boolean" }).notNull(),
    /** Whether the authenticator verified the user at registration: only then is it a first factor. WA-07. */
    userVerified: integer("user_verified", { mode: "boolean" }).notNull(),
    rpId: text("rp_id").notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [index("passkeys_user_id").on(table.userId, table.createdAt), index("passkeys_rp_id").on(table.rpId)],
);

/** The secret of a user's authenticator app. A secret under setup is sealed in the form and has no row. MF-03. */
export const totpSecrets = sqliteTable("totp_secrets", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  secret: text().notNull(),
  /** The last accepted time step; only a later one is accepted. MF-04. */
  lastStep: integer("last_step").notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
});

/** A recovery code, spent by setting `used_at`. New codes delete the old ones. MF-05. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    hash: text().$type<Hash>().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: integer("created_at").notNull(),
    usedAt: integer("used_at"),
  },
  (table) => [index("recovery_codes_user_id").on(table.userId)],
);

/**
 * A browser that skips the second step. Live means from its user's current sign-in epoch and before `expires_at`.
 * MF-08.
 */
export const rememberedBrowsers = sqliteTable(
  "remembered_browsers",
  {
    /** Of the cookie's value. */
    hash: text().$type<Hash>().primaryKey(),
    id: text().notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    signInEpoch: integer("sign_in_epoch").notNull(),
    userAgent: text("user_agent"),
    address: text(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("remembered_browsers_user_id").on(table.userId, table.createdAt),
    index("remembered_browsers_expires_at").on(table.expiresAt),
  ],
);
