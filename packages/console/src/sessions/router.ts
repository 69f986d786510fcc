import { z } from "zod";
import { id } from "../fields.ts";
import { procedure, router } from "../trpc.ts";
import { endUserSession, endUserSessions } from "../users/manage-users.ts";
import { managedUser } from "../users/schemas.ts";
import { sessionView } from "./schemas.ts";
import { listSessions, listUserSessions, revokeSession } from "./sessions.ts";

/** Sessions, for the console. Users of other clients have theirs in `me`. */
export const sessionsRouter = router({
  list: procedure({ may: "view", scope: "console:read" })
    .input(z.strictObject({ userId: id }))
    .output(z.array(sessionView))
    .query(({ ctx, input }) => listUserSessions(input.userId, ctx.principal.sessionId, ctx.actor, ctx.deps)),

  revoke: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(z.strictObject({ userId: id, sessionId: id }))
    .output(z.void())
    .mutation(({ ctx, input: { userId, sessionId } }) =>
      endUserSession({ id: userId, sessionId }, ctx.actor, ctx.deps),
    ),

  /** Those of the caller, who is any role of the console. CO-89. */
  mine: procedure({ may: "view", scope: "console:read" })
    .output(z.array(sessionView))
    .query(({ ctx: { principal, deps } }) => listSessions(principal.userId, principal.sessionId, deps)),

  endMine: procedure({ may: "view", scope: "console:read" })
    .input(z.strictObject({ sessionId: id }))
    .output(z.void())
    .mutation(({ ctx: { principal, deps }, input }) => revokeSession({ userId: principal.userId, ...input }, deps)),

  /**
   * Also revokes every token of the user, offline access included. With `apps`, each application has to ask the user
   * again. CO-62.
   */
  revokeAll: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(z.strictObject({ userId: id, apps: z.boolean().default(false), reason: managedUser.shape.reason }))
    .output(z.object({ revoked: z.int() }))
    .mutation(({ ctx, input: { userId, ...input } }) => endUserSessions({ id: userId, ...input }, ctx.actor, ctx.deps)),
});
