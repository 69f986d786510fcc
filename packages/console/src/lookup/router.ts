import { z } from "zod";
import { procedure, router } from "../trpc.ts";
import { lookUp } from "./lookup.ts";
import { lookupMatch, lookupText } from "./schemas.ts";

/** Finds what a pasted id or email address names, for `/go` and the palette. */
export const lookupRouter = router({
  find: procedure({ may: "view", scope: "console:read", environment: "any" })
    .input(z.strictObject({ text: lookupText }))
    .output(z.array(lookupMatch))
    .query(({ ctx, input }) => lookUp(input.text, ctx.deps)),
});
