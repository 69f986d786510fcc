import { z } from "zod";
import { id } from "../fields.ts";
import { procedure, router } from "../trpc.ts";
import { createApiToken, listApiTokens, revokeApiToken } from "./api-tokens.ts";
import { apiTokenDraft, apiTokenScope, apiTokenView } from "./schemas.ts";
import { API_TOKEN_SCOPES, type ApiTokenScope } from "./scopes.ts";

const SCOPES = Object.entries(API_TOKEN_SCOPES).map(([name, about]) => ({ name: name as ApiTokenScope, ...about }));

/** Tokens for automation. No API token can make or end another one. CO-70. */
export const apiTokensRouter = router({
  /** The tokens, and what one can be allowed. */
  list: procedure({ may: "manageProduction", scope: "console:read" })
    .output(z.object({ tokens: z.array(apiTokenView), scopes: z.array(apiTokenScope) }))
    .query(async ({ ctx }) => ({ tokens: await listApiTokens(ctx.deps), scopes: SCOPES })),

  /** Returns the token once; only its hash is stored. */
  create: procedure({ may: "manageProduction", scope: "console:write", fresh: true })
    .input(apiTokenDraft)
    .output(z.object({ token: z.string(), id }))
    .mutation(({ ctx, input }) => createApiToken(input, ctx.actor, ctx.deps)),

  revoke: procedure({ may: "manageProduction", scope: "console:write", fresh: true })
    .input(z.strictObject({ id }))
    .output(z.void())
    .mutation(({ ctx, input }) => revokeApiToken(input.id, ctx.actor, ctx.deps)),
});
