import { z } from "zod";
import { inEnvironment } from "../api-tokens/limits.ts";
import { exportAuthor } from "../author.ts";
import { AUDIT_FILTERS } from "../lists/lists.ts";
import { listExportQuery, listExportTicket, listInput, pageOf } from "../paging.ts";
import { procedure, router } from "../trpc.ts";
import { auditExportPage, getAuditEntry, listAuditLog, listObjectHistory, startAuditExport } from "./log.ts";
import {
  auditEntry,
  auditExportDraft,
  auditHistoryQuery,
  auditKey,
  auditVerification,
  auditVerifyQuery,
} from "./schemas.ts";
import { verifyAuditLog } from "./verify.ts";

/** Who changed or revealed what. Everybody in the console can read it; addresses are whole for admins alone. */
export const auditRouter = router({
  list: procedure({
    may: "view",
    scope: "console:read",
    environment: "any",
    apiToken: { scope: "audit:read", reach: "environment" },
  })
    .input(listInput(AUDIT_FILTERS))
    .use(inEnvironment(({ environment }) => environment))
    .output(pageOf(auditEntry))
    .query(({ ctx, input }) => listAuditLog(input, ctx.actor, ctx.deps)),

  get: procedure({ may: "view", scope: "console:read", apiToken: { scope: "audit:read", reach: "answer" } })
    .input(auditKey)
    .output(auditEntry)
    .query(({ ctx, input }) => getAuditEntry(input, ctx.actor, ctx.deps)),

  /** What was done to some objects. */
  history: procedure({ may: "view", scope: "console:read", apiToken: { scope: "audit:read", reach: "everything" } })
    .input(auditHistoryQuery)
    .output(z.object({ items: z.array(auditEntry), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listObjectHistory(input, ctx.actor, ctx.deps)),

  /** Checks a part of the chain; while the state is `more`, call again with the answer's `cursor`. */
  verify: procedure({ may: "view", scope: "console:read", apiToken: { scope: "audit:read", reach: "everything" } })
    .input(auditVerifyQuery)
    .output(auditVerification)
    .query(({ ctx, input }) => verifyAuditLog(input, ctx.deps)),

  /** Starts an export, and leaves a row of its own. */
  export: procedure({
    may: "view",
    scope: "console:read",
    fresh: true,
    apiToken: { scope: "audit:read", reach: "environment" },
  })
    .input(auditExportDraft)
    .use(inEnvironment(({ filter }) => filter.environment))
    .output(listExportTicket)
    .mutation(({ ctx, input }) => startAuditExport(input, exportAuthor(ctx), ctx.deps)),

  /** The next page of an export that was started. Only reads, but a ticket is too long for the URL of a query. */
  exportPage: procedure({
    may: "view",
    scope: "console:read",
    apiToken: { scope: "audit:read", reach: "answer" },
    exportTicket: "audit export",
  })
    .input(listExportQuery)
    .output(z.object({ items: z.array(auditEntry), nextCursor: z.string().nullable() }))
    .mutation(({ ctx, input }) => auditExportPage(input, ctx.actor, ctx.deps)),
});
