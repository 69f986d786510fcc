import { z } from "zod";
import { administering, procedure, router } from "../trpc.ts";
import { dropJob, listJobs, retryJob } from "./jobs.ts";
import { jobId, jobList, jobView } from "./schemas.ts";

const reading = procedure.requires({ role: ["admin"], scope: "console:read" });

/** Work that the server does later. */
export const jobsRouter = router({
  list: reading
    .input(jobList)
    .output(z.array(jobView))
    .query(({ ctx, input }) => listJobs(input, ctx.deps)),

  retry: administering
    .input(z.strictObject({ id: jobId }))
    .output(z.void())
    .mutation(({ ctx, input }) => retryJob(input.id, ctx.actor, ctx.deps)),

  drop: administering
    .input(z.strictObject({ id: jobId }))
    .output(z.void())
    .mutation(({ ctx, input }) => dropJob(input.id, ctx.actor, ctx.deps)),
});
