import { z } from "zod";
import { getRefusal, listRefusals } from "../operations/refusals.ts";
import { errorId, pageOf, refusalQuery, refusalView } from "../schemas.ts";
import { investigating, router } from "../trpc.ts";

/** The failure ledger: why requests were really refused. */
export const refusalsRouter = router({
  list: investigating
    .input(refusalQuery)
    .output(pageOf(refusalView))
    .query(({ ctx, input }) => listRefusals(input, ctx.deps)),

  one: investigating
    .input(z.object({ errorId }))
    .output(refusalView)
    .query(({ ctx, input }) => getRefusal(input.errorId, ctx.deps)),
});
