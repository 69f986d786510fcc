import type { MailedTokenPurpose, MailState } from "@gatehouse/accounts";
import type { Hash, Role } from "@gatehouse/auth";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { isUnanswered } from "../index-conditions.ts";
import { users } from "./users.ts";

/**
 * A mailed link, a mailed code, or both. Live means not spent, before `expires_at`, fewer than five wrong codes, and of
 * its user's current sign-in epoch. A new one of a purpose and address deletes the older one in the same transaction.
 */
export const mailedTokens = sqliteTable(
  "mailed_tokens",
  {
    hash: text().$type<Hash>().primaryKey(),
    purpose: text().$type<MailedTokenPurpose>().notNull(),
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The address that it was mailed to. */
    email: text().notNull(),
    /** Of the token's hash and the code. */
    codeHash: text("code_hash").$type<Hash>(),
    /** Codes tried so far. */
    tries: integer().notNull().default(0),
    /** Of the cookie of the browser that asked for it. */
    browser: text().$type<Hash>(),
    /** Sealed. */
    data: text(),
    /** Null if it outlives changes of the account. */
    signInEpoch: integer("sign_in_epoch"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    spentAt: integer("spent_at"),
  },
  (table) => [
    index("mailed_tokens_email").on(table.purpose, table.email),
    index("mailed_tokens_user_id").on(table.userId),
    index("mailed_tokens_expires_at").on(table.expiresAt),
  ],
);

/**
 * An invitation to an account with a role. Pending means not accepted, not withdrawn and before `expires_at`; one per
 * address. RG-08.
 */
export const invitations = sqliteTable(
  "invitations",
  {
    id: text().primaryKey(),
    email: text().notNull(),
    role: text().$type<Role>().notNull(),
    hash: text().$type<Hash>().notNull(),
    /** The id of the admin, or `cli`. */
    invitedBy: text("invited_by").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    acceptedAt: integer("accepted_at"),
    withdrawnAt: integer("withdrawn_at"),
  },
  (table) => [
    uniqueIndex("invitations_hash").on(table.hash),
    uniqueIndex("invitations_pending").on(table.email).where(isUnanswered(table)),
    index("invitations_created_at").on(table.createdAt, table.id),
    index("invitations_expires_at").on(table.expiresAt),
  ],
);

/** A mail, written with its cause; its job has the same id. The payload is wiped when the mail ends. EM-03. */
export const mails = sqliteTable(
  "mails",
  {
    /** Time-ordered. */
    id: text().primaryKey(),
    kind: text().notNull(),
    recipient: text().notNull(),
    userId: text("user_id"),
    locale: text().notNull(),
    state: text().$type<MailState>().notNull(),
    /** What the template needs, sealed. */
    payload: text(),
    attempts: integer().notNull().default(0),
    /** What the SMTP server answered last. */
    answer: text(),
    /** Not sent after this time. */
    expiresAt: integer("expires_at"),
    createdAt: integer("created_at").notNull(),
    sentAt: integer("sent_at"),
  },
  (table) => [
    index("mails_recipient").on(table.recipient, table.id),
    index("mails_created_at").on(table.createdAt, table.id),
  ],
);
