import { bigint, boolean, index, pgTable, text } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

export const savedViews = pgTable(
  "saved_views",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    list: text().notNull(),
    name: text().notNull(),
    query: text().notNull(),
    shared: boolean().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
  },
  (table) => [
    index("saved_views_list").on(table.list, table.shared),
    index("saved_views_user_id").on(table.userId, table.list),
  ],
);
