import { type ActiveSession, raiseSession, type SessionRise, sessionCookie } from "@gatehouse/auth";
import type { Visit } from "../../routing/visit.ts";

export type RenewedSession = { session: ActiveSession; cookies: string[] };

/**
 * Gives the session a new secret after its account changed; the public id stays. `rise`: what its user has just proved.
 * If it ended meanwhile, it stays as it is. WE-02.
 */
export async function renewSession(
  { session, app: { deps } }: Pick<Visit<ActiveSession>, "session" | "app">,
  rise: SessionRise = {},
): Promise<RenewedSession> {
  const raised = await raiseSession(session, rise, deps);
  if (!raised) return { session, cookies: [] };
  const { secret, ...renewed } = raised;
  return { session: renewed, cookies: [sessionCookie(secret, renewed.session, deps.config)] };
}
