import { z } from "zod";
import { clientId } from "../fields.ts";
import { SELF_REGISTERED_FILTERS } from "../lists/lists.ts";
import { listInput, pageOf } from "../paging.ts";
import { procedure, router } from "../trpc.ts";
import {
  approvalInput,
  idleInput,
  idleView,
  selfRegisteredDetail,
  selfRegisteredGroup,
  selfRegisteredView,
} from "./schemas.ts";
import {
  approveSelfRegistered,
  fetchDocumentAgain,
  getSelfRegisteredClient,
  listIdleSelfRegistered,
  listSelfRegisteredClients,
  listSelfRegisteredGroups,
  pruneSelfRegistered,
} from "./self-registered.ts";

/**
 * Clients that no admin registered: registered dynamically, or described by a metadata document. `clientBlocks` blocks
 * them.
 */
export const selfRegisteredRouter = router({
  list: procedure({ may: "view", scope: "console:read" })
    .input(listInput(SELF_REGISTERED_FILTERS))
    .output(pageOf(selfRegisteredView))
    .query(({ ctx, input }) => listSelfRegisteredClients(input, ctx.deps)),

  groups: procedure({ may: "view", scope: "console:read" })
    .output(z.array(selfRegisteredGroup))
    .query(({ ctx }) => listSelfRegisteredGroups(ctx.deps)),

  get: procedure({ may: "view", scope: "console:read" })
    .input(z.strictObject({ clientId }))
    .output(selfRegisteredDetail)
    .query(({ ctx, input }) => getSelfRegisteredClient(input.clientId, ctx.deps)),

  /** What pruning would delete. */
  idle: procedure({ may: "view", scope: "console:read" })
    .input(idleInput)
    .output(idleView)
    .query(({ ctx, input }) => listIdleSelfRegistered(input, ctx.deps)),

  approve: procedure({ may: "manageProduction", scope: "console:write" })
    .input(approvalInput)
    .output(z.void())
    .mutation(({ ctx, input }) => approveSelfRegistered(input, ctx.actor, ctx.deps)),

  fetchAgain: procedure({ may: "manageProduction", scope: "console:write" })
    .input(z.strictObject({ clientId }))
    .output(z.void())
    .mutation(({ ctx, input }) => fetchDocumentAgain(input.clientId, ctx.actor, ctx.deps)),

  /** Deletes up to 500 idle clients. */
  prune: procedure({ may: "manageProduction", scope: "console:write", fresh: true })
    .input(idleInput)
    .output(z.object({ deleted: z.int(), more: z.boolean() }))
    .mutation(({ ctx, input }) => pruneSelfRegistered(input, ctx.actor, ctx.deps)),
});
