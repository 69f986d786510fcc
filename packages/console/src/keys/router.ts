import { router, securing, viewing } from "../trpc.ts";
import { listKeys, rotateKeys } from "./keys.ts";
import { keyList, rotationInput } from "./schemas.ts";

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
