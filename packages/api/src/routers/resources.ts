import { createResource, listResources, removeResource, setResourceEnabled, updateResource } from "@gatehouse/operations";
import { resourceDraft, resourceId, resourceView } from "@gatehouse/operations/schemas";
import { z } from "zod";
import { administering, router, viewing } from "../trpc.ts";

/** The registered APIs: those for which clients can request tokens, apart from the built-in one. */
export const resourcesRouter = router({
  list: viewing.output(z.array(resourceView)).query(({ ctx }) => listResources(ctx.deps)),

  create: administering
    .input(resourceDraft)
    .output(resourceView)
    .mutation(({ ctx, input }) => createResource(input, ctx.deps)),

  update: administering
    .input(resourceDraft)
    .output(resourceView)
    .mutation(({ ctx, input }) => updateResource(input, ctx.deps)),

  /** Tokens of a disabled resource stop being valid within a second. */
  setEnabled: administering
    .input(z.object({ id: resourceId, enabled: z.boolean() }))
    .output(resourceView)
    .mutation(({ ctx, input }) => setResourceEnabled(input, ctx.deps)),

  remove: administering
    .input(z.object({ id: resourceId }))
    .output(z.void())
    .mutation(({ ctx, input }) => removeResource(input.id, ctx.deps)),
});
