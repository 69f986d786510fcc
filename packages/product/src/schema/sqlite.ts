import { users } from "@gatehouse/db/schema/sqlite";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The product's tables. postgres.ts has the same ones, and a test keeps the two equal. Prefix each name with `product_`: Gatehouse
// never uses it.

/** A user's notes, deleted with the user. */
export const notes = sqliteTable(
  "product_notes",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    text: text().notNull(),
    /** Unix seconds. */
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("product_notes_user").on(table.userId, table.createdAt, table.id)],
);
