import { z } from "zod";
import { procedure, router } from "../trpc.ts";
import { dropJob, listJobs, retryJob } from "./jobs.ts";
import { jobId, jobList, jobView } from "./schemas.ts";

/** Work that the server does later. */
export const jobsRouter = router({
  list: procedure({ may: "manageProduction", scope: "console:read" })
    .input(jobList)
    .output(z.array(jobView))
    .query(({ ctx, input }) => listJobs(input, ctx.deps)),

  retry: procedure({ may: "manageProduction", scope: "console:write" })
    .input(z.strictObject({ id: jobId }))
    .output(z.void())
    .mutation(({ ctx, input }) => retryJob(input.id, ctx.actor, ctx.deps)),

  drop: procedure({ may: "manageProduction", scope: "console:write" })
    .input(z.strictObject({ id: jobId }))
    .output(z.void())
    .mutation(({ ctx, input }) => dropJob(input.id, ctx.actor, ctx.deps)),
});
