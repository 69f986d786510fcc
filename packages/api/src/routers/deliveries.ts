import { DELIVERY_FILTERS } from "@gatehouse/lists";
import { deliveryFacets, getDelivery, listDeliveries } from "@gatehouse/operations";
import { deliveryDetail, deliveryListItem, id, listInput, pageOf } from "@gatehouse/operations/schemas";
import { z } from "zod";
import { router, viewingWebhooks } from "../trpc.ts";

/** The webhook inbox: every delivery, including rejected ones. */
export const deliveriesRouter = router({
  list: viewingWebhooks
    .input(listInput(DELIVERY_FILTERS))
    .output(pageOf(deliveryListItem))
    .query(({ ctx, input }) => listDeliveries(input, ctx.deps)),

  get: viewingWebhooks
    .input(z.object({ id }))
    .output(deliveryDetail)
    .query(({ ctx, input }) => getDelivery(input.id, ctx.deps)),

  /** Values for the filters. */
  facets: viewingWebhooks
    .output(z.object({ providers: z.array(z.string()), eventTypes: z.array(z.string()) }))
    .query(({ ctx }) => deliveryFacets(ctx.deps)),
});
