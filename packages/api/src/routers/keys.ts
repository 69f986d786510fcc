import { listKeys, rotateKeys } from "@gatehouse/operations";
import { keyList, rotationInput } from "@gatehouse/operations/schemas";
import { router, securing, viewing } from "../trpc.ts";

/** The keys that ID tokens, JWT access tokens and logout tokens are signed with. */
export const keysRouter = router({
  list: viewing.output(keyList).query(({ ctx }) => listKeys(ctx.deps)),

  rotate: securing
    .input(rotationInput)
    .output(keyList)
    .mutation(async ({ ctx, input }) => {
      await rotateKeys(input, ctx.actor, ctx.deps);
      return listKeys(ctx.deps);
    }),
});
