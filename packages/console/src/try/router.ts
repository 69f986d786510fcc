import { z } from "zod";
import { procedure, router } from "../trpc.ts";
import { checkTry } from "./negative-checks.ts";
import { endRun } from "./run.ts";
import { tryCheck, tryEnd, tryResult, tryStart, tryStarted, tryStep, tryTrace } from "./schemas.ts";
import { startTry } from "./start.ts";
import { stepTry } from "./steps.ts";

/**
 * Test runs of a client, by the user who started them. In production, starting one needs a fresh sign-in. CO-38, CO-88.
 */
export const tryRouter = router({
  start: procedure({ may: "manageDevelopment", scope: "console:write", environment: "fresh admins in production" })
    .input(tryStart)
    .output(tryStarted)
    .mutation(({ ctx, input }) => startTry(input, ctx.actor, ctx.deps)),

  step: procedure({ may: "manageDevelopment", scope: "console:write", environment: "none" })
    .input(tryStep)
    .output(tryResult)
    .mutation(({ ctx, input }) => stepTry(input, ctx.actor, ctx.deps)),

  check: procedure({ may: "manageDevelopment", scope: "console:write", environment: "none" })
    .input(tryCheck)
    .output(z.object({ traces: z.array(tryTrace) }))
    .mutation(({ ctx, input }) => checkTry(input, ctx.actor, ctx.deps)),

  end: procedure({ may: "manageDevelopment", scope: "console:write", environment: "none" })
    .input(tryEnd)
    .output(z.void())
    .mutation(({ ctx, input }) => endRun(input, ctx.actor, ctx.deps)),
});
