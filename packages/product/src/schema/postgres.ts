import { users } from "@gatehouse/db/schema/postgres";
import { bigint, index, pgTable, text } from "drizzle-orm/pg-core";

export const notes = pgTable(
  "product_notes",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    text: text().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
  },
  (table) => [index("product_notes_user").on(table.userId, table.createdAt, table.id)],
);
