import { z } from "zod";
import { SIGN_IN_FILTERS } from "../lists/lists.ts";
import { listInput, pageOf } from "../paging.ts";
import { procedure, router } from "../trpc.ts";
import { signInId, signInView } from "./schemas.ts";
import { getSignIn, listSignIns } from "./sign-ins.ts";

/** The sign-in log: who could sign in, who could not, and why. SL-03. */
export const signInsRouter = router({
  list: procedure({ may: "view", scope: "console:read" })
    .input(listInput(SIGN_IN_FILTERS))
    .output(pageOf(signInView))
    .query(({ ctx, input }) => listSignIns(input, ctx.actor, ctx.deps)),

  get: procedure({ may: "view", scope: "console:read" })
    .input(z.strictObject({ id: signInId }))
    .output(signInView)
    .query(({ ctx, input }) => getSignIn(input.id, ctx.actor, ctx.deps)),
});
