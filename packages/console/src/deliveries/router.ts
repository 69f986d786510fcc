import { z } from "zod";
import { inEnvironment } from "../api-tokens/limits.ts";
import { exportAuthor } from "../author.ts";
import { id } from "../fields.ts";
import { DELIVERY_FILTERS } from "../lists/lists.ts";
import { listInput, pageOf } from "../paging.ts";
import { procedure, router } from "../trpc.ts";
import { deliveryFacets, listDeliveries } from "./deliveries.ts";
import { exportPage, startExport } from "./export/export.ts";
import {
  deliveryExportDraft,
  deliveryExportPage,
  deliveryExportQuery,
  deliveryExportTicket,
} from "./export/schemas.ts";
import { deliveryListItem } from "./schemas.ts";
import { deliveryStatsInput, deliveryStatsView } from "./stats/schemas.ts";
import { deliveryStats } from "./stats/stats.ts";

/** The webhook inbox: every delivery, including rejected ones. */
export const deliveriesRouter = router({
  list: procedure({
    may: "view",
    scope: "webhooks:read",
    environment: "any",
    apiToken: { scope: "deliveries:read", reach: "environment" },
  })
    .input(listInput(DELIVERY_FILTERS, { after: id.optional() }))
    .use(inEnvironment(({ environment }) => environment))
    .output(pageOf(deliveryListItem))
    .query(({ ctx, input }) => listDeliveries(input, ctx.actor, ctx.deps)),

  /** Values for the filters. */
  facets: procedure({
    may: "view",
    scope: "webhooks:read",
    apiToken: { scope: "deliveries:read", reach: "everything" },
  })
    .output(
      z.object({ providers: z.array(z.string()), endpoints: z.array(z.string()), eventTypes: z.array(z.string()) }),
    )
    .query(({ ctx }) => deliveryFacets(ctx.deps)),

  /** Counts for the charts. They may lag 10 seconds. */
  stats: procedure({
    may: "view",
    scope: "webhooks:read",
    environment: "any",
    apiToken: { scope: "deliveries:read", reach: "environment" },
  })
    .input(deliveryStatsInput)
    .use(inEnvironment(({ environment }) => environment))
    .output(deliveryStatsView)
    .query(({ ctx, input }) => deliveryStats(input, ctx.deps)),

  /** Starts an export and leaves an audit row. */
  export: procedure({
    may: "view",
    scope: "webhooks:read",
    fresh: true,
    environment: "any",
    apiToken: { scope: "deliveries:read", reach: "environment" },
  })
    .input(deliveryExportDraft)
    .use(inEnvironment(({ filter }) => filter?.environment))
    .output(deliveryExportTicket)
    .mutation(({ ctx, input }) => startExport(input, exportAuthor(ctx), ctx.deps)),

  /** The next page of an export that was started. Only reads, but a ticket is too long for the URL of a query. */
  exportPage: procedure({
    may: "view",
    scope: "webhooks:read",
    apiToken: { scope: "deliveries:read", reach: "answer" },
    exportTicket: "delivery export",
  })
    .input(deliveryExportQuery)
    .output(deliveryExportPage)
    .mutation(({ ctx, input }) => exportPage(input, { ...ctx.actor, scopes: ctx.principal.scopes }, ctx.deps)),
});
