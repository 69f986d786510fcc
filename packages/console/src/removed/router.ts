import { z } from "zod";
import { REMOVED_FILTERS } from "../lists/lists.ts";
import { listInput, pageOf } from "../paging.ts";
import { procedure, router } from "../trpc.ts";
import { getRemovedObject, listRemovedObjects, restoreRemoved } from "./restore.ts";
import { removedId, removedView, restoredView, restoreInput } from "./schemas.ts";

/** Removed applications and clients, for the seven days in which they can be restored. CO-44. */
export const removedRouter = router({
  list: procedure({ may: "view", scope: "console:read" })
    .input(listInput(REMOVED_FILTERS))
    .output(pageOf(removedView))
    .query(({ ctx, input }) => listRemovedObjects(input, ctx.deps)),

  /** Null if it can't be restored any more. */
  get: procedure({ may: "view", scope: "console:read", environment: "any" })
    .input(z.strictObject({ id: removedId }))
    .output(removedView.nullable())
    .query(({ ctx, input }) => getRemovedObject(input.id, ctx.deps)),

  /** The operation checks the environments and, with a production client, the sign-in. */
  restore: procedure({ may: "manageDevelopment", scope: "console:write", environment: "fresh admins in production" })
    .input(restoreInput)
    .output(restoredView)
    .mutation(({ ctx, input }) => restoreRemoved(input, ctx.actor, ctx.deps)),
});
