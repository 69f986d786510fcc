import { procedure, router } from "../trpc.ts";
import { getAttention } from "./attention.ts";
import { getFirstSteps } from "./getting-started.ts";
import { getOverview } from "./overview.ts";
import { attentionInput, attentionView, firstStepsView, overviewInput, overviewView } from "./schemas.ts";

/** The first page of the console. */
export const overviewRouter = router({
  /** Counts for the charts, which may lag 10 seconds, and the secrets that end first. */
  get: procedure({ may: "view", scope: "console:read", environment: "any" })
    .input(overviewInput)
    .output(overviewView)
    .query(({ ctx, input }) => getOverview(input, ctx.deps)),

  /** What needs somebody, and what was checked. */
  attention: procedure({ may: "view", scope: "console:read" })
    .input(attentionInput)
    .output(attentionView)
    .query(({ ctx, input }) => getAttention(input, ctx.deps)),

  /** What a new installation still needs. */
  firstSteps: procedure({ may: "view", scope: "console:read" })
    .output(firstStepsView)
    .query(({ ctx }) => getFirstSteps(ctx.deps)),
});
