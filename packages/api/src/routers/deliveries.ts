import { DELIVERY_FILTERS } from "@gatehouse/lists";
import { deliveryFacets, deliveryStats, listDeliveries } from "@gatehouse/operations";
import { deliveryListItem, deliveryStatsInput, deliveryStatsView, id, listInput, pageOf } from "@gatehouse/operations/schemas";
import { z } from "zod";
import { router, viewingWebhooks } from "../trpc.ts";

/** The webhook inbox: every delivery, including rejected ones. */
export const deliveriesRouter = router({
  list: viewingWebhooks
    .input(listInput(DELIVERY_FILTERS).extend({ after: id.optional() }))
    .output(pageOf(deliveryListItem))
    .query(({ ctx, input }) => listDeliveries(input, ctx.actor, ctx.deps)),

  /** Values for the filters. */
  facets: viewingWebhooks
    .output(z.object({ providers: z.array(z.string()), endpoints: z.array(z.string()), eventTypes: z.array(z.string()) }))
    .query(({ ctx }) => deliveryFacets(ctx.deps)),

  /** Counts for the charts. They may lag 10 seconds. */
  stats: viewingWebhooks
    .input(deliveryStatsInput)
    .output(deliveryStatsView)
    .query(({ ctx, input }) => deliveryStats(input, ctx.deps)),
});
