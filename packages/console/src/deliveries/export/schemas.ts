import { z } from "zod";
import { cursor, id } from "../../fields.ts";
import { DELIVERY_FILTERS } from "../../lists/lists.ts";
import { filterInput } from "../../paging.ts";
import { deliveryListItem } from "../schemas.ts";

/** As many as the console can select. */
const MOST_SELECTED = 1_000;

export const deliveryExportDraft = z
  .strictObject({
    /** Headers and payloads too. */
    contents: z.boolean().default(false),
    /** These deliveries; without it, those that match `filter`. */
    ids: z.array(id).min(1).max(MOST_SELECTED, "select at most 1,000 deliveries").optional(),
    filter: filterInput(DELIVERY_FILTERS).optional(),
  })
  .refine(({ ids, filter }) => ids === undefined || filter === undefined, {
    path: ["filter"],
    message: "leave it out with ids",
  });
export const deliveryExportTicket = z.strictObject({ ticket: z.string().max(200_000) });
export const deliveryExportQuery = deliveryExportTicket.extend({ cursor: cursor.nullable() });

const text = z.object({ text: z.string(), encoding: z.enum(["utf8", "base64"]) });
export const deliveryExportPage = z.object({
  items: z.array(
    deliveryListItem.extend({
      /** ISO 8601, UTC. */
      receivedAt: z.string(),
      headers: z.record(z.string(), z.string()).nullable().optional(),
      payload: text.nullable().optional(),
    }),
  ),
  nextCursor: z.string().nullable(),
});
