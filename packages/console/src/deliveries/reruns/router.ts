import { z } from "zod";
import { procedure, router } from "../../trpc.ts";
import { cancelRerun, getRerun, rerunDeliveries, rerunDelivery, rerunMatching } from "./reruns.ts";
import { rerunId, rerunInput, rerunManyInput, rerunView } from "./schemas.ts";

/** Running handlers again: part of `deliveries`. A run works in the background. */
export const rerunsRouter = router({
  /** One delivery. */
  rerun: procedure({
    may: "manageDevelopment",
    scope: "webhooks:replay",
    fresh: true,
    environment: "admins in production",
  })
    .input(rerunInput)
    .output(rerunId)
    .mutation(({ ctx, input }) => rerunDelivery(input.id, ctx.actor, ctx.deps)),

  /** A selection, or all that the list finds with a filter. */
  rerunMany: procedure({ may: "manageDevelopment", scope: "webhooks:replay", fresh: true, environment: "any" })
    .input(rerunManyInput)
    .output(rerunId)
    .mutation(({ ctx: { actor, deps }, input }) =>
      "ids" in input ? rerunDeliveries(input.ids, actor, deps) : rerunMatching(input.filter, actor, deps),
    ),

  rerunProgress: procedure({ may: "manageDevelopment", scope: "webhooks:replay", environment: "none" })
    .input(rerunId)
    .output(rerunView)
    .query(({ ctx, input }) => getRerun(input.rerunId, ctx.actor, ctx.deps)),

  cancelRerun: procedure({ may: "manageDevelopment", scope: "webhooks:replay", fresh: true, environment: "none" })
    .input(rerunId)
    .output(z.void())
    .mutation(({ ctx, input }) => cancelRerun(input.rerunId, ctx.actor, ctx.deps)),
});
