import { REFUSAL_FILTERS } from "@gatehouse/lists";
import { getRefusal, listRefusals } from "@gatehouse/operations";
import { errorId, listInput, pageOf, refusalView } from "@gatehouse/operations/schemas";
import { z } from "zod";
import { investigating, router } from "../trpc.ts";

/** The failure ledger: why requests were rejected. */
export const refusalsRouter = router({
  list: investigating
    .input(listInput(REFUSAL_FILTERS))
    .output(pageOf(refusalView))
    .query(({ ctx, input }) => listRefusals(input, ctx.deps)),

  one: investigating
    .input(z.object({ errorId }))
    .output(refusalView)
    .query(({ ctx, input }) => getRefusal(input.errorId, ctx.deps)),
});
