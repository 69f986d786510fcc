import { z } from "zod";
import { at, id } from "../../fields.ts";
import { DELIVERY_FILTERS } from "../../lists/lists.ts";
import { filterInput } from "../../paging.ts";

export const rerunInput = z.strictObject({ id });
export const rerunId = z.strictObject({ rerunId: id });

/** Some deliveries, or all that the list finds with a filter. */
export const rerunManyInput = z.union([
  z.strictObject({
    ids: z.array(id).min(1, "choose at least one delivery").max(1000, "choose at most 1,000 deliveries"),
  }),
  z.strictObject({ filter: filterInput(DELIVERY_FILTERS) }),
]);

export const rerunView = z.object({
  id,
  state: z.enum(["queued", "running", "done", "cancelled", "failed"]),
  total: z.int(),
  totalKnown: z.boolean(),
  done: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  skipped: z.int(),
  problems: z.array(z.object({ deliveryId: id, verdict: z.enum(["failed", "skipped"]), message: z.string() })),
  createdAt: at,
  finishedAt: at.nullable(),
});
