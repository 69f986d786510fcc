import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { clients } from "./clients.ts";
import { grants } from "./grants.ts";

/**
 * A redirect URI of a preview deployment. Live until `ends_at`; ending it by hand sets `ends_at` to that second. A slot
 * whose URI changes is ended and replaced, so an id has one URI for ever. At most one live slot of a client has a key.
 * Ended rows stay for a while, so that `/authorize` can say that the preview has ended. CO-28, CO-29.
 */
export const previewSlots = sqliteTable(
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
    createdAt: integer("created_at").notNull(),
    /** When it was last put. */
    renewedAt: integer("renewed_at").notNull(),
    endsAt: integer("ends_at").notNull(),
  },
  (table) => [
    index("preview_slots_ends").on(table.clientId, table.endsAt, table.id),
    index("preview_slots_key").on(table.clientId, table.key, table.endsAt),
    index("preview_slots_redirect_uri").on(table.clientId, table.redirectUri, table.endsAt),
    index("preview_slots_ends_at").on(table.endsAt),
  ],
);

/**
 * Which grants were made through a slot: ending the slot revokes them. A code counts only while its slot is live, with
 * or without this row.
 */
export const previewGrants = sqliteTable(
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
