import { bigint, boolean, index, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { ManagedKind } from "../sqlite/managed-objects.ts";

export const managedObjects = pgTable(
  "managed_objects",
  {
    kind: text().$type<ManagedKind>().notNull(),
    object: text().notNull(),
    file: text().notNull(),
    settings: json().$type<Record<string, unknown>>().notNull(),
    locked: boolean().notNull(),
    appliedAt: bigint("applied_at", { mode: "number" }).notNull(),
    appliedBy: text("applied_by").notNull(),
    auditFrom: text("audit_from").notNull(),
    unlockedAt: bigint("unlocked_at", { mode: "number" }),
    unlockedBy: text("unlocked_by"),
  },
  (table) => [primaryKey({ columns: [table.kind, table.object] }), index("managed_objects_file").on(table.file)],
);
