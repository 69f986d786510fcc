import { z } from "zod";
import { clientId } from "../fields.ts";
import { SELF_REGISTERED_FILTERS } from "../lists/lists.ts";
import { listInput, pageOf } from "../paging.ts";
import { administering, router, securing, viewing } from "../trpc.ts";
import { approvalInput, idleInput, idleView, selfRegisteredDetail, selfRegisteredGroup, selfRegisteredView } from "./schemas.ts";
import {
  approveSelfRegistered,
  fetchDocumentAgain,
  getSelfRegisteredClient,
  listIdleSelfRegistered,
  listSelfRegisteredClients,
  listSelfRegisteredGroups,
  pruneSelfRegistered,
} from "./self-registered.ts";

/** Clients that no admin registered: registered dynamically, or described by a metadata document. `clientBlocks` blocks them. */
export const selfRegisteredRouter = router({
  list: viewing
    .input(listInput(SELF_REGISTERED_FILTERS))
    .output(pageOf(selfRegisteredView))
    .query(({ ctx, input }) => listSelfRegisteredClients(input, ctx.deps)),

  groups: viewing.output(z.array(selfRegisteredGroup)).query(({ ctx }) => listSelfRegisteredGroups(ctx.deps)),

  get: viewing
    .input(z.strictObject({ clientId }))
    .output(selfRegisteredDetail)
    .query(({ ctx, input }) => getSelfRegisteredClient(input.clientId, ctx.deps)),

  /** What pruning would delete. */
  idle: viewing
    .input(idleInput)
    .output(idleView)
    .query(({ ctx, input }) => listIdleSelfRegistered(input, ctx.deps)),

  approve: administering
    .input(approvalInput)
    .output(z.void())
    .mutation(({ ctx, input }) => approveSelfRegistered(input, ctx.actor, ctx.deps)),

  fetchAgain: administering
    .input(z.strictObject({ clientId }))
    .output(z.void())
    .mutation(({ ctx, input }) => fetchDocumentAgain(input.clientId, ctx.actor, ctx.deps)),

  /** Deletes up to 500 idle clients. */
  prune: securing
    .input(idleInput)
    .output(z.object({ deleted: z.int(), more: z.boolean() }))
    .mutation(({ ctx, input }) => pruneSelfRegistered(input, ctx.actor, ctx.deps)),
});
