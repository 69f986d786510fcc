import type { AccountEventDetail, SignInCause, SignInOutcome } from "@gatehouse/accounts";
import type { Acr, SignInFactor } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/**
 * The sign-in log: every attempt with its true cause. Kept for 90 days unless a setting says otherwise; of each bucket,
 * the newest fifty. SL-01.
 */
export const signIns = sqliteTable(
  "sign_ins",
  {
    /** Time-ordered. */
    id: text().primaryKey(),
    at: integer().notNull(),
    outcome: text().$type<SignInOutcome>().notNull(),
    cause: text().$type<SignInCause>(),
    factor: text().$type<SignInFactor>().notNull(),
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The keyed hash of an address that no account had. */
    emailHash: text("email_hash"),
    /** That address; null after a day. */
    typedEmail: text("typed_email"),
    level: text().$type<Acr>(),
    /** As sent; may not be the id of a client. */
    clientId: text("client_id"),
    address: text(),
    userAgent: text("user_agent"),
    detail: text({ mode: "json" }).$type<AccountEventDetail>().notNull(),
    /**
     * Which rows can push this one out: those of the same user and outcome, or those without an account from one share
     * of the networks.
     */
    bucket: text().notNull(),
  },
  (table) => [
    index("sign_ins_user_id").on(table.userId, table.id),
    index("sign_ins_email_hash").on(table.emailHash, table.id).where(sql`${table.emailHash} is not null`),
    index("sign_ins_typed").on(table.id).where(sql`${table.typedEmail} is not null`),
    index("sign_ins_bucket").on(table.bucket, table.id),
  ],
);
