import { z } from "zod";
import { freshSince } from "../author.ts";
import { CONSOLE_CLIENT_ID } from "../clients/built-in-clients.ts";
import type { Principal } from "../context.ts";
import { clientId, id } from "../fields.ts";
import { ABILITIES, freshForSeconds } from "../permissions.ts";
import { sessionView } from "../sessions/schemas.ts";
import { listSessions, revokeSession } from "../sessions/sessions.ts";
import { procedure, router } from "../trpc.ts";
import { listConnectedApps, revokeConnectedApp } from "../users/connected-apps.ts";
import { connectedApp } from "../users/schemas.ts";
import { meView } from "./schemas.ts";

/**
 * A user's own sessions and connected apps. Available on our own pages and to first-party clients only: other
 * applications may learn who the user is, as far as their scope goes, but not where they are signed in.
 */
export const meRouter = router({
  get: procedure({ may: "signIn", scope: "api:read" })
    .output(meView)
    .query(async ({ ctx: { principal, deps } }) => {
      const { userId, role, scopes } = principal;
      const since = await freshSince(principal, deps);
      const user = { id: userId, ...personalPart(principal), role };
      const freshFor = freshForSeconds(since, deps.now());
      const { demo = false } = deps;
      return { user, scopes: [...scopes], freshForSeconds: freshFor, can: ABILITIES[role], demo };
    }),

  sessions: procedure({ may: "signIn", scope: "account:read" })
    .output(z.array(sessionView))
    .query(({ ctx }) => listSessions(ctx.principal.userId, ctx.principal.sessionId, ctx.deps)),

  connectedApps: procedure({ may: "signIn", scope: "account:read" })
    .output(z.array(connectedApp))
    .query(({ ctx }) => listConnectedApps(ctx.principal.userId, ctx.deps)),

  /** Revokes the app's access. Its tokens are no longer valid when this returns. */
  revokeApp: procedure({ may: "signIn", scope: "account:write" })
    .input(z.strictObject({ clientId }))
    .output(z.void())
    .mutation(({ ctx, input }) => revokeConnectedApp(ctx.principal.userId, input.clientId, ctx.deps)),

  revokeSession: procedure({ may: "signIn", scope: "account:write" })
    .input(z.strictObject({ sessionId: id }))
    .output(z.void())
    .mutation(({ ctx, input }) =>
      revokeSession({ userId: ctx.principal.userId, sessionId: input.sessionId }, ctx.deps),
    ),
});

/**
 * As at the userinfo endpoint: the scope that the user allowed decides, except on the server's own pages and in the
 * console. OI-05.
 */
function personalPart({ via, clientId, email, name, scopes }: Principal): {
  email: string | null;
  name: string | null;
} {
  const isOwn = via !== "bearer" || clientId === CONSOLE_CLIENT_ID;
  return {
    email: isOwn || scopes.includes("email") ? email : null,
    name: isOwn || scopes.includes("profile") ? name : null,
  };
}
