import type { MailedTokenPurpose, MailState } from "@gatehouse/accounts";
import type { Hash, Role } from "@gatehouse/auth";
import { bigint, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { isUnanswered } from "../index-conditions.ts";
import { users } from "./users.ts";

export const mailedTokens = pgTable(
  "mailed_tokens",
  {
    hash: text().$type<Hash>().primaryKey(),
    purpose: text().$type<MailedTokenPurpose>().notNull(),
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    email: text().notNull(),
    codeHash: text("code_hash").$type<Hash>(),
    tries: bigint({ mode: "number" }).notNull().default(0),
    browser: text().$type<Hash>(),
    data: text(),
    signInEpoch: bigint("sign_in_epoch", { mode: "number" }),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
    spentAt: bigint("spent_at", { mode: "number" }),
  },
  (table) => [
    index("mailed_tokens_email").on(table.purpose, table.email),
    index("mailed_tokens_user_id").on(table.userId),
    index("mailed_tokens_expires_at").on(table.expiresAt),
  ],
);

export const invitations = pgTable(
  "invitations",
  {
    id: text().primaryKey(),
    email: text().notNull(),
    role: text().$type<Role>().notNull(),
    hash: text().$type<Hash>().notNull(),
    invitedBy: text("invited_by").notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
    acceptedAt: bigint("accepted_at", { mode: "number" }),
    withdrawnAt: bigint("withdrawn_at", { mode: "number" }),
  },
  (table) => [
    uniqueIndex("invitations_hash").on(table.hash),
    uniqueIndex("invitations_pending").on(table.email).where(isUnanswered(table)),
    index("invitations_created_at").on(table.createdAt, table.id),
    index("invitations_expires_at").on(table.expiresAt),
  ],
);

export const mails = pgTable(
  "mails",
  {
    id: text().primaryKey(),
    kind: text().notNull(),
    recipient: text().notNull(),
    userId: text("user_id"),
    locale: text().notNull(),
    state: text().$type<MailState>().notNull(),
    payload: text(),
    attempts: bigint({ mode: "number" }).notNull().default(0),
    answer: text(),
    expiresAt: bigint("expires_at", { mode: "number" }),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    sentAt: bigint("sent_at", { mode: "number" }),
  },
  (table) => [
    index("mails_recipient").on(table.recipient, table.id),
    index("mails_created_at").on(table.createdAt, table.id),
  ],
);
