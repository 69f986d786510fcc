import { z } from "zod";
import { exportAuthor } from "../author.ts";
import { clientView, registeredClient } from "../clients/schemas.ts";
import { id, version } from "../fields.ts";
import { getApplicationImpact } from "../impact/impact.ts";
import { clientImpact } from "../impact/schemas.ts";
import { APPLICATION_FILTERS } from "../lists/lists.ts";
import { managedView } from "../managed/schemas.ts";
import { listExportQuery, listExportTicket, listInput, pageOf } from "../paging.ts";
import { removeApplication } from "../removed/remove.ts";
import { procedure, router } from "../trpc.ts";
import { createApplication, getApplication, listApplications, updateApplication } from "./applications.ts";
import { applicationExportPage, startApplicationExport } from "./export.ts";
import { applicationDraft, applicationExportDraft, applicationListItem, applicationStart } from "./schemas.ts";
import { startApplication } from "./start.ts";

const view = applicationListItem.omit({ clients: true, lastTokenAt: true, refusals: true });

/** The team's products, with their clients. */
export const applicationsRouter = router({
  list: procedure({
    may: "view",
    scope: "console:read",
    environment: "any",
    apiToken: { scope: "clients:read", reach: "everything" },
  })
    .input(listInput(APPLICATION_FILTERS))
    .output(pageOf(applicationListItem))
    .query(({ ctx, input }) => listApplications(input, ctx.deps)),

  /** Starts an export, and leaves an audit row. */
  export: procedure({ may: "view", scope: "console:read", fresh: true })
    .input(applicationExportDraft)
    .output(listExportTicket)
    .mutation(({ ctx, input }) => startApplicationExport(input, exportAuthor(ctx), ctx.deps)),

  /** The next page of an export that was started. Only reads, but a ticket is too long for the URL of a query. */
  exportPage: procedure({ may: "view", scope: "console:read", exportTicket: "application export" })
    .input(listExportQuery)
    .output(z.object({ items: z.array(applicationListItem), nextCursor: z.string().nullable() }))
    .mutation(({ ctx, input }) => applicationExportPage(input, ctx.actor, ctx.deps)),

  get: procedure({
    may: "view",
    scope: "console:read",
    environment: "any",
    apiToken: { scope: "clients:read", reach: "everything" },
  })
    .input(z.strictObject({ id }))
    .output(view.extend({ managed: managedView, clients: z.array(clientView) }))
    .query(({ ctx, input }) => getApplication(input.id, ctx.deps)),

  /** What removing it would take from its users. Changes nothing. CO-37. */
  impact: procedure({ may: "view", scope: "console:read", environment: "any" })
    .input(z.strictObject({ id }))
    .output(clientImpact)
    .query(({ ctx, input }) => getApplicationImpact(input.id, ctx.deps)),

  create: procedure({ may: "manageDevelopment", scope: "console:write", environment: "none" })
    .input(applicationDraft)
    .output(view)
    .mutation(({ ctx, input }) => createApplication(input, ctx.actor, ctx.deps)),

  /** Creates an application with its development client, and returns the client's secret once. */
  start: procedure({ may: "manageDevelopment", scope: "console:write", environment: "none" })
    .input(applicationStart)
    .output(registeredClient)
    .mutation(({ ctx, input }) => startApplication(input, ctx.actor, ctx.deps)),

  update: procedure({ may: "manageDevelopment", scope: "console:write", environment: "admins in production" })
    .input(applicationDraft.extend({ id, version: version.optional() }))
    .output(view)
    .mutation(({ ctx, input }) => updateApplication(input, ctx.actor, ctx.deps)),

  remove: procedure({ may: "manageDevelopment", scope: "console:write", environment: "fresh admins in production" })
    .input(z.strictObject({ id }))
    .output(z.void())
    .mutation(({ ctx, input }) => removeApplication(input.id, ctx.actor, ctx.deps)),
});
