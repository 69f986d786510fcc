import type { AccountEventDetail, SignInCause, SignInOutcome } from "@gatehouse/accounts";
import type { Acr, SignInFactor } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { bigint, index, json, pgTable, text } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

export const signIns = pgTable(
  "sign_ins",
  {
    id: text().primaryKey(),
    at: bigint({ mode: "number" }).notNull(),
    outcome: text().$type<SignInOutcome>().notNull(),
    cause: text().$type<SignInCause>(),
    factor: text().$type<SignInFactor>().notNull(),
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    emailHash: text("email_hash"),
    typedEmail: text("typed_email"),
    level: text().$type<Acr>(),
    clientId: text("client_id"),
    address: text(),
    userAgent: text("user_agent"),
    detail: json().$type<AccountEventDetail>().notNull(),
    bucket: text().notNull(),
  },
  (table) => [
    index("sign_ins_user_id").on(table.userId, table.id),
    index("sign_ins_email_hash").on(table.emailHash, table.id).where(sql`${table.emailHash} is not null`),
    index("sign_ins_typed").on(table.id).where(sql`${table.typedEmail} is not null`),
    index("sign_ins_bucket").on(table.bucket, table.id),
  ],
);
