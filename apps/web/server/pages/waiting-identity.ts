import { clearPendingLink, connectIdentity, readPendingLink } from "@gatehouse/accounts";
import type { User } from "@gatehouse/auth";
import type { Visit } from "../routing/route.ts";
import { accountRequest } from "./account-request.ts";

/**
 * Connects the identity that waits in this browser, now that its user has signed in to the account with its address. Any sign-in ends the
 * wait. Returns the `Set-Cookie` values. UP-08.
 */
export async function connectWaitingIdentity(user: User, visit: Visit): Promise<string[]> {
  const { request, app } = visit;
  const link = readPendingLink(request.headers.get("cookie"), app.deps);
  if (!link) return [];
  const cookies = [clearPendingLink(app.deps)];
  if (link.userId !== user.id) return cookies;
  const provider = (await app.deps.people.listSignInProviders()).find(({ id, enabled }) => id === link.identity.provider && enabled);
  if (provider) await connectIdentity(link.identity, user, provider.name, accountRequest(visit), app.deps);
  return cookies;
}
