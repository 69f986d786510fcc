import { z } from "zod";
import { procedure, router } from "../trpc.ts";
import { blockClients, blockImpact, listClientBlocks, unblockClients } from "./client-blocks.ts";
import { blockImpactView, clientBlockDraft, clientBlockKey, clientBlockView } from "./schemas.ts";

/** Blocks of clients that registered themselves. */
export const clientBlocksRouter = router({
  list: procedure({ may: "manageProduction", scope: "console:write" })
    .output(z.array(clientBlockView))
    .query(({ ctx }) => listClientBlocks(ctx.deps)),

  /** What the block would stop or, if it is in force, what works again without it. */
  impact: procedure({ may: "manageProduction", scope: "console:write" })
    .input(clientBlockKey)
    .output(blockImpactView)
    .query(({ ctx, input }) => blockImpact(input, ctx.deps)),

  /** Returns the number of clients that it disabled. */
  block: procedure({ may: "manageProduction", scope: "console:write" })
    .input(clientBlockDraft)
    .output(z.object({ block: clientBlockView, disabled: z.int() }))
    .mutation(({ ctx, input }) => blockClients(input, ctx.actor, ctx.deps)),

  unblock: procedure({ may: "manageProduction", scope: "console:write" })
    .input(clientBlockKey)
    .output(z.void())
    .mutation(({ ctx, input }) => unblockClients(input, ctx.actor, ctx.deps)),
});
