import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What a file of `gatehouse apply` can manage. Never users: people change their own accounts. */
export type ManagedKind = "resource" | "application" | "client" | "webhook_endpoint" | "sign_in_provider";

/**
 * An object that a file set up, with what the file states about it. Each apply writes the rows of its objects and
 * deletes those of objects that the file no longer lists. While `locked`, only an apply changes the object; unlocking
 * ends that until the next apply. A row outlives its object, so that drift can say that it was removed. CO-73.
 */
export const managedObjects = sqliteTable(
  "managed_objects",
  {
    kind: text().$type<ManagedKind>().notNull(),
    /** The id of the object; the slug of a webhook endpoint. */
    object: text().notNull(),
    /** The base name of the file. Two files of one name count as one. */
    file: text().notNull(),
    /** By the file's names. What the file leaves out is not part of it, nor is any secret. */
    settings: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    locked: integer({ mode: "boolean" }).notNull(),
    /** When an apply last changed the object or this row. */
    appliedAt: integer("applied_at").notNull(),
    /** The name of the person who applied the file. */
    appliedBy: text("applied_by").notNull(),
    /** Rows of the audit log since then have this id or a higher one. */
    auditFrom: text("audit_from").notNull(),
    /** Null unless somebody unlocked it since. */
    unlockedAt: integer("unlocked_at"),
    unlockedBy: text("unlocked_by"),
  },
  (table) => [primaryKey({ columns: [table.kind, table.object] }), index("managed_objects_file").on(table.file)],
);
