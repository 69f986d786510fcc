import { listSessions, revokeAllSessions, revokeSession } from "@gatehouse/operations";
import { id, sessionView } from "@gatehouse/operations/schemas";
import { z } from "zod";
import { managingUsers, router, viewing } from "../trpc.ts";

/** Sessions of other users; the caller's own are in `me`. */
export const sessionsRouter = router({
  list: viewing
    .input(z.object({ userId: id }))
    .output(z.array(sessionView))
    .query(({ ctx, input }) => listSessions(input.userId, ctx.principal.sessionId, ctx.deps)),

  revoke: managingUsers
    .input(z.object({ userId: id, sessionId: id }))
    .output(z.void())
    .mutation(({ ctx, input }) => revokeSession(input, ctx.deps)),

  /** Also revokes the tokens of first-party clients and, with `apps`, those of all other clients. */
  revokeAll: managingUsers
    .input(z.object({ userId: id, apps: z.boolean().default(false) }))
    .output(z.object({ revoked: z.int() }))
    .mutation(({ ctx, input }) => revokeAllSessions(input, ctx.deps)),
});
