import { bigint, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { clients } from "./clients.ts";
import { grants } from "./grants.ts";

export const previewSlots = pgTable(
  "preview_slots",
  {
    id: text().primaryKey(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    key: text().notNull(),
    redirectUri: text("redirect_uri").notNull(),
    makerId: text("maker_id").notNull(),
    makerName: text("maker_name").notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    renewedAt: bigint("renewed_at", { mode: "number" }).notNull(),
    endsAt: bigint("ends_at", { mode: "number" }).notNull(),
  },
  (table) => [
    index("preview_slots_ends").on(table.clientId, table.endsAt, table.id),
    index("preview_slots_key").on(table.clientId, table.key, table.endsAt),
    index("preview_slots_redirect_uri").on(table.clientId, table.redirectUri, table.endsAt),
    index("preview_slots_ends_at").on(table.endsAt),
  ],
);

export const previewGrants = pgTable(
  "preview_grants",
  {
    slotId: text("slot_id")
      .notNull()
      .references(() => previewSlots.id, { onDelete: "cascade" }),
    grantId: text("grant_id")
      .notNull()
      .references(() => grants.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.slotId, table.grantId] }),
    index("preview_grants_grant_id").on(table.grantId),
  ],
);
