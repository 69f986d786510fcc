import { z } from "zod";
import { listSessions, revokeAllSessions, revokeSession } from "../operations/sessions.ts";
import { id, sessionView } from "../schemas.ts";
import { managingUsers, router, viewing } from "../trpc.ts";

/** Other people's sign-ins; one's own are under `me`. */
export const sessionsRouter = router({
  list: viewing
    .input(z.object({ userId: id }))
    .output(z.array(sessionView))
    .query(({ ctx, input }) => listSessions(input.userId, ctx.principal.sessionId, ctx.deps)),

  revoke: managingUsers
    .input(z.object({ userId: id, sessionId: id }))
    .output(z.void())
    .mutation(({ ctx, input }) => revokeSession(input, ctx.deps)),

  revokeAll: managingUsers
    .input(z.object({ userId: id }))
    .output(z.object({ revoked: z.int() }))
    .mutation(({ ctx, input }) => revokeAllSessions(input.userId, ctx.deps)),
});
