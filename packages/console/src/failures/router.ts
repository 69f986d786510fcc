import { z } from "zod";
import { inEnvironment } from "../api-tokens/limits.ts";
import { exportAuthor } from "../author.ts";
import { FAILURE_GROUP_FILTERS, REFUSAL_FILTERS } from "../lists/lists.ts";
import { listExportQuery, listExportTicket, listInput, pageOf } from "../paging.ts";
import { procedure, router } from "../trpc.ts";
import { failureExportPage, startFailureExport } from "./export.ts";
import { decideFailure, getFailureGroup, listFailures } from "./groups.ts";
import { getRefusal, listRefusals } from "./refusals.ts";
import {
  errorId,
  failureDecision,
  failureExportDraft,
  failureGroupKey,
  failureGroupView,
  listedFailureGroup,
  refusalDetailView,
  refusalView,
} from "./schemas.ts";

/** The failure ledger: why requests were rejected. */
export const refusalsRouter = router({
  list: procedure({
    may: "view",
    scope: "console:read",
    environment: "any",
    apiToken: { scope: "failures:read", reach: "environment" },
  })
    .input(listInput(REFUSAL_FILTERS))
    .use(inEnvironment(({ environment }) => environment))
    .output(pageOf(refusalView))
    .query(({ ctx, input }) => listRefusals(input, ctx.actor, ctx.deps)),

  /** Starts an export of single failures, and leaves an audit row. */
  export: procedure({ may: "view", scope: "console:read", fresh: true })
    .input(failureExportDraft)
    .output(listExportTicket)
    .mutation(({ ctx, input }) => startFailureExport(input, exportAuthor(ctx), ctx.deps)),

  /** The next page of an export that was started. Only reads, but a ticket is too long for the URL of a query. */
  exportPage: procedure({ may: "view", scope: "console:read", exportTicket: "failure export" })
    .input(listExportQuery)
    .output(z.object({ items: z.array(refusalView), nextCursor: z.string().nullable() }))
    .mutation(({ ctx, input }) => failureExportPage(input, ctx.actor, ctx.deps)),

  one: procedure({
    may: "view",
    scope: "console:read",
    environment: "any",
    apiToken: { scope: "failures:read", reach: "answer" },
  })
    .input(z.strictObject({ errorId }))
    .output(refusalDetailView)
    .query(({ ctx, input }) => getRefusal(input.errorId, ctx.actor, ctx.deps)),

  groups: procedure({
    may: "view",
    scope: "console:read",
    environment: "any",
    apiToken: { scope: "failures:read", reach: "environment" },
  })
    .input(listInput(FAILURE_GROUP_FILTERS))
    .use(inEnvironment(({ environment }) => environment))
    .output(pageOf(listedFailureGroup))
    .query(({ ctx, input }) => listFailures(input, ctx.deps)),

  group: procedure({
    may: "view",
    scope: "console:read",
    environment: "any",
    apiToken: { scope: "failures:read", reach: "answer" },
  })
    .input(z.strictObject({ key: failureGroupKey }))
    .output(listedFailureGroup)
    .query(({ ctx, input }) => getFailureGroup(input.key, ctx.deps)),

  decide: procedure({ may: "manageDevelopment", scope: "console:write", environment: "admins in production" })
    .input(z.strictObject({ key: failureGroupKey, decision: failureDecision }))
    .output(failureGroupView)
    .mutation(({ ctx, input }) => decideFailure(input, ctx.actor, ctx.deps)),
});
