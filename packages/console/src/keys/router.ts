import { procedure, router } from "../trpc.ts";
import { listKeys, rotateKeys } from "./keys.ts";
import { keyList, rotationInput } from "./schemas.ts";

/** The keys that ID tokens, JWT access tokens and logout tokens are signed with. */
export const keysRouter = router({
  list: procedure({ may: "view", scope: "console:read" })
    .output(keyList)
    .query(({ ctx }) => listKeys(ctx.deps)),

  rotate: procedure({ may: "manageProduction", scope: "console:write", fresh: true })
    .input(rotationInput)
    .output(keyList)
    .mutation(async ({ ctx, input }) => {
      await rotateKeys(input, ctx.actor, ctx.deps);
      return listKeys(ctx.deps);
    }),
});
