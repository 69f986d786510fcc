import type { Hash } from "@gatehouse/auth";
import { bigint, boolean, index, json, pgTable, text } from "drizzle-orm/pg-core";
import { bytea } from "./bytea.ts";
import { users } from "./users.ts";

export const passkeys = pgTable(
  "passkeys",
  {
    credentialId: text("credential_id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    publicKey: bytea("public_key").notNull(),
    algorithm: bigint({ mode: "number" }).notNull(),
    counter: bigint({ mode: "number" }).notNull(),
    transports: json().$type<string[]>().notNull(),
    aaguid: text().notNull(),
    name: text().notNull(),
    backupEligible: boolean("backup_eligible").notNull(),
    backedUp: boolean("backed_up").notNull(),
    userVerified: boolean("user_verified").notNull(),
    rpId: text("rp_id").notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    lastUsedAt: bigint("last_used_at", { mode: "number" }),
  },
  (table) => [index("passkeys_user_id").on(table.userId, table.createdAt), index("passkeys_rp_id").on(table.rpId)],
);

export const totpSecrets = pgTable("totp_secrets", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  secret: text().notNull(),
  lastStep: bigint("last_step", { mode: "number" }).notNull(),
  createdAt: bigint("created_at", { mode: "number" }).notNull(),
  lastUsedAt: bigint("last_used_at", { mode: "number" }),
});

export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    hash: text().$type<Hash>().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    usedAt: bigint("used_at", { mode: "number" }),
  },
  (table) => [index("recovery_codes_user_id").on(table.userId)],
);

export const rememberedBrowsers = pgTable(
  "remembered_browsers",
  {
    hash: text().$type<Hash>().primaryKey(),
    id: text().notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    signInEpoch: bigint("sign_in_epoch", { mode: "number" }).notNull(),
    userAgent: text("user_agent"),
    address: text(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    lastUsedAt: bigint("last_used_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
  },
  (table) => [
    index("remembered_browsers_user_id").on(table.userId, table.createdAt),
    index("remembered_browsers_expires_at").on(table.expiresAt),
  ],
);
