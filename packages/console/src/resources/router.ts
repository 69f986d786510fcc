import { z } from "zod";
import { resourceId } from "../clients/schemas.ts";
import { version } from "../fields.ts";
import { procedure, router } from "../trpc.ts";
import { createResource, listResources, removeResource, setResourceEnabled, updateResource } from "./resources.ts";
import { resourceDraft, resourceUsage as resourceUsageView, resourceView } from "./schemas.ts";
import { resourceUsage } from "./usage.ts";

/** The registered APIs: those for which clients can request tokens, apart from the built-in one. */
export const resourcesRouter = router({
  list: procedure({ may: "view", scope: "console:read" })
    .output(z.array(resourceView))
    .query(({ ctx }) => listResources(ctx.deps)),

  /** Which clients lose access if the resource, or one of its scopes, goes. CO-37. */
  usage: procedure({ may: "view", scope: "console:read" })
    .input(z.strictObject({ id: resourceId }))
    .output(resourceUsageView)
    .query(({ ctx, input }) => resourceUsage(input.id, ctx.deps)),

  create: procedure({ may: "manageProduction", scope: "console:write" })
    .input(resourceDraft)
    .output(resourceView)
    .mutation(({ ctx, input }) => createResource(input, ctx.actor, ctx.deps)),

  update: procedure({ may: "manageProduction", scope: "console:write" })
    .input(resourceDraft.extend({ version: version.optional() }))
    .output(resourceView)
    .mutation(({ ctx, input }) => updateResource(input, ctx.actor, ctx.deps)),

  /** Tokens of a disabled resource stop being valid within a second. */
  setEnabled: procedure({ may: "manageProduction", scope: "console:write" })
    .input(z.strictObject({ id: resourceId, enabled: z.boolean() }))
    .output(resourceView)
    .mutation(({ ctx, input }) => setResourceEnabled(input, ctx.actor, ctx.deps)),

  remove: procedure({ may: "manageProduction", scope: "console:write", fresh: true })
    .input(z.strictObject({ id: resourceId }))
    .output(z.void())
    .mutation(({ ctx, input }) => removeResource(input.id, ctx.actor, ctx.deps)),
});
