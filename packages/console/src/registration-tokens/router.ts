import { z } from "zod";
import { id } from "../fields.ts";
import { procedure, router } from "../trpc.ts";
import { createRegistrationToken, listRegistrationTokens, revokeRegistrationToken } from "./registration-tokens.ts";
import { registrationTokenDraft, registrationTokenView } from "./schemas.ts";

/** Tokens that allow clients to register themselves, if registration requires a token. */
export const registrationTokensRouter = router({
  list: procedure({ may: "manageProduction", scope: "console:write" })
    .output(z.array(registrationTokenView))
    .query(({ ctx }) => listRegistrationTokens(ctx.deps)),

  /** Returns the token once; only its hash is stored. */
  create: procedure({ may: "manageProduction", scope: "console:write" })
    .input(registrationTokenDraft)
    .output(z.object({ token: z.string(), view: registrationTokenView }))
    .mutation(({ ctx, input }) => createRegistrationToken(input, ctx.actor, ctx.deps)),

  revoke: procedure({ may: "manageProduction", scope: "console:write" })
    .input(z.strictObject({ id }))
    .output(z.void())
    .mutation(({ ctx, input }) => revokeRegistrationToken(input.id, ctx.actor, ctx.deps)),
});
