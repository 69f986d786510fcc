import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/**
 * A named query string of one of the console's lists, of a user's own or for everybody. Holds no rows and no secrets.
 * CO-81.
 */
export const savedViews = sqliteTable(
  "saved_views",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The URL path of the list, as `/deliveries`. */
    list: text().notNull(),
    name: text().notNull(),
    /** Without the question mark. */
    query: text().notNull(),
    /** Everybody sees it. */
    shared: integer({ mode: "boolean" }).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("saved_views_list").on(table.list, table.shared),
    index("saved_views_user_id").on(table.userId, table.list),
  ],
);
