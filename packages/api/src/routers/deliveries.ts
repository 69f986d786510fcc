import { DELIVERY_FILTERS } from "@gatehouse/lists";
import { deliveryFacets, listDeliveries } from "@gatehouse/operations";
import { deliveryListItem, listInput, pageOf } from "@gatehouse/operations/schemas";
import { z } from "zod";
import { router, viewingWebhooks } from "../trpc.ts";

/** The webhook inbox: every delivery, including rejected ones. */
export const deliveriesRouter = router({
  list: viewingWebhooks
    .input(listInput(DELIVERY_FILTERS))
    .output(pageOf(deliveryListItem))
    .query(({ ctx, input }) => listDeliveries(input, ctx.deps)),

  /** Values for the filters. */
  facets: viewingWebhooks
    .output(z.object({ providers: z.array(z.string()), eventTypes: z.array(z.string()) }))
    .query(({ ctx }) => deliveryFacets(ctx.deps)),
});
