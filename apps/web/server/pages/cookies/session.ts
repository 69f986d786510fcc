import { type ActiveSession, raiseSession, sessionCookie } from "@gatehouse/auth";
import type { App } from "../../start/app.ts";

/** Gives the session a new secret after its account changed; the public id stays. Returns the `Set-Cookie` values. §7. */
export async function rotated(active: ActiveSession, { deps }: Pick<App, "deps">): Promise<string[]> {
  const raised = await raiseSession(active, {}, deps);
  return raised ? [sessionCookie(raised.secret, raised.session, deps.config)] : [];
}
