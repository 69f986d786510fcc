import { z } from "zod";
import { cursor, id, limit } from "../fields.ts";
import { pagedInput, pageOf } from "../paging.ts";
import { procedure, router } from "../trpc.ts";
import { inviteUser, listInvitations, resendInvitation, withdrawInvitation } from "./invitations.ts";
import { invitationDraft, invitationSent, invitationView } from "./schemas.ts";

/** Invitations to an account with a role. UM-01. */
export const invitationsRouter = router({
  list: procedure({ may: "view", scope: "console:read" })
    .input(pagedInput({ cursor: cursor.nullish(), limit }))
    .output(pageOf(invitationView))
    .query(({ ctx, input }) => listInvitations(input, ctx.deps)),

  create: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(invitationDraft)
    .output(invitationSent)
    .mutation(({ ctx, input }) => inviteUser(input, ctx.actor, ctx.deps)),

  resend: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(z.strictObject({ id }))
    .output(invitationSent)
    .mutation(({ ctx, input }) => resendInvitation(input.id, ctx.actor, ctx.deps)),

  withdraw: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(z.strictObject({ id }))
    .output(z.void())
    .mutation(({ ctx, input }) => withdrawInvitation(input.id, ctx.actor, ctx.deps)),
});
