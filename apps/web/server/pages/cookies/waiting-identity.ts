import { clearPendingLink, connectionOf, type IdentityConnection, type Person, readPendingLink } from "@gatehouse/accounts";
import type { Visit } from "../../routing/route.ts";
import { accountRequest } from "../account/request.ts";

/**
 * The identity that waits in this browser for its user to sign in to the account with its address, to be connected by the write of the session.
 * Any sign-in ends the wait: `cookies` has the `Set-Cookie` values. UP-08.
 */
export async function waitingIdentity(user: Person, visit: Visit): Promise<{ connection?: IdentityConnection; cookies: string[] }> {
  const { request, app } = visit;
  const link = readPendingLink(request.headers.get("cookie"), app.deps);
  if (!link) return { cookies: [] };
  const cookies = [clearPendingLink(app.deps)];
  if (link.userId !== user.id) return { cookies };
  const provider = (await app.deps.people.listSignInProviders()).find(({ id, enabled }) => id === link.identity.provider && enabled);
  if (!provider) return { cookies };
  return { connection: connectionOf(link.identity, user, provider.name, accountRequest(visit), app.deps), cookies };
}
