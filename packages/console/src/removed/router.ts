import { z } from "zod";
import { REMOVED_FILTERS } from "../lists/lists.ts";
import { listInput, pageOf } from "../paging.ts";
import { managing, router, viewing } from "../trpc.ts";
import { getRemovedObject, listRemovedObjects, restoreRemoved } from "./restore.ts";
import { removedId, removedView, restoredView, restoreInput } from "./schemas.ts";

/** Removed applications and clients, for the seven days in which they can be restored. CO-44. */
export const removedRouter = router({
  list: viewing
    .input(listInput(REMOVED_FILTERS))
    .output(pageOf(removedView))
    .query(({ ctx, input }) => listRemovedObjects(input, ctx.deps)),

  /** Null if it can no longer be restored. */
  get: viewing
    .input(z.strictObject({ id: removedId }))
    .output(removedView.nullable())
    .query(({ ctx, input }) => getRemovedObject(input.id, ctx.deps)),

  /** The operation checks the environments and, with a production client, the sign-in. */
  restore: managing
    .input(restoreInput)
    .output(restoredView)
    .mutation(({ ctx, input }) => restoreRemoved(input, ctx.actor, ctx.deps)),
});
