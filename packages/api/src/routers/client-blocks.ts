import { blockClients, listClientBlocks, unblockClients } from "@gatehouse/operations";
import { clientBlockDraft, clientBlockKey, clientBlockView } from "@gatehouse/operations/schemas";
import { z } from "zod";
import { administering, router } from "../trpc.ts";

/** What an admin blocked of the clients that no admin registered. */
export const clientBlocksRouter = router({
  list: administering.output(z.array(clientBlockView)).query(({ ctx }) => listClientBlocks(ctx.deps)),

  /** Returns how many clients it disabled. */
  block: administering
    .input(clientBlockDraft)
    .output(z.object({ block: clientBlockView, disabled: z.int() }))
    .mutation(({ ctx, input }) => blockClients(input, ctx.deps)),

  unblock: administering
    .input(clientBlockKey)
    .output(z.void())
    .mutation(({ ctx, input }) => unblockClients(input, ctx.deps)),
});
