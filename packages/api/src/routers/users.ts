import { USER_FILTERS } from "@gatehouse/lists";
import { createUser, getUser, listUsers, revokeUserTokens, setUserDisabled, updateUser } from "@gatehouse/operations";
import { id, listInput, pageOf, userChange, userDraft, userView } from "@gatehouse/operations/schemas";
import { z } from "zod";
import { managingUsers, router, viewing } from "../trpc.ts";

/** The users who can sign in. */
export const usersRouter = router({
  list: viewing
    .input(listInput(USER_FILTERS))
    .output(pageOf(userView))
    .query(({ ctx, input }) => listUsers(input, ctx.deps)),

  get: viewing
    .input(z.object({ id }))
    .output(userView)
    .query(({ ctx, input }) => getUser(input.id, ctx.deps)),

  create: managingUsers
    .input(userDraft)
    .output(userView)
    .mutation(({ ctx, input }) => createUser(input, ctx.deps)),

  update: managingUsers
    .input(userChange)
    .output(userView)
    .mutation(({ ctx, input }) => updateUser(input, ctx.deps)),

  /** Disabling a user ends all sessions, grants and tokens at once, permanently. */
  setDisabled: managingUsers
    .input(z.object({ id, disabled: z.boolean() }))
    .output(userView)
    .mutation(({ ctx, input }) => setUserDisabled(input, ctx.deps)),

  /** Revokes every token of the user, including those of first-party applications. Sessions continue. */
  revokeTokens: managingUsers
    .input(z.object({ id }))
    .output(z.void())
    .mutation(({ ctx, input }) => revokeUserTokens(input.id, ctx.deps)),
});
