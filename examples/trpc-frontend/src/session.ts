import { ErrorResponse, type User, UserManager } from "oidc-client-ts";
import { useSyncExternalStore } from "react";

/** What the app asks for at first. Changing notes takes one scope more, which it asks for when it is needed. */
const FIRST_SCOPE = "openid profile email offline_access notes:read";

const manager = new UserManager({
  authority: import.meta.env.ISSUER,
  client_id: import.meta.env.CLIENT_ID,
  redirect_uri: `${location.origin}/callback`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: FIRST_SCOPE,
  automaticSilentRenew: true, // by refresh token, a minute before the access token expires
  revokeTokensOnSignout: true,
});

export type Session =
  | { state: "loading" }
  | { state: "signed_out"; notice?: string }
  | { state: "signed_in"; email: string; scopes: readonly string[]; notice?: string };

let session: Session = { state: "loading" };
const listeners = new Set<() => void>();

function show(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

const signedIn = ({ profile, scopes }: User, notice?: string): Session => ({
  state: "signed_in",
  email: profile.email ?? profile.sub,
  scopes,
  ...(notice !== undefined && { notice }),
});

/** The session, for components: they render again when it changes. */
export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );
}

/** Finishes a sign-in that comes back from Gatehouse, or resumes the session of this tab. */
export async function startSession(): Promise<void> {
  const notice = location.pathname === "/callback" ? await finishSignIn() : undefined;
  const user = await manager.getUser();
  if (user && !user.expired) show(signedIn(user, notice));
  else if (user && (await renew())) return;
  else show({ state: "signed_out", ...(notice !== undefined && { notice }) });
}

/** What to tell the user when the sign-in failed. */
async function finishSignIn(): Promise<string | undefined> {
  try {
    await manager.signinCallback();
    return undefined;
  } catch (error) {
    const denied = error instanceof ErrorResponse && error.error === "access_denied";
    return denied ? "You did not allow it. Nothing has changed." : "The sign-in did not work. Try again.";
  } finally {
    history.replaceState(null, "", "/");
  }
}

/** Leaves for Gatehouse's sign-in page. With `more`, also asks the user to allow another scope. */
export async function signIn(more = ""): Promise<void> {
  await manager.signinRedirect({ scope: `${FIRST_SCOPE} ${more}`.trim() });
}

export async function signOut(): Promise<void> {
  await manager.signoutRedirect();
}

export async function accessToken(): Promise<string | undefined> {
  return (await manager.getUser())?.access_token;
}

let renewal: Promise<string | undefined> | undefined;

/** A new access token by refresh token, without a page. Undefined when the sign-in has ended: revoked, or expired. */
export function renew(): Promise<string | undefined> {
  renewal ??= renewOnce().finally(() => {
    renewal = undefined; // requests that fail together share one renewal
  });
  return renewal;
}

async function renewOnce(): Promise<string | undefined> {
  try {
    const user = await manager.signinSilent();
    if (user) {
      show(signedIn(user));
      return user.access_token;
    }
  } catch (error) {
    if (!(error instanceof ErrorResponse)) throw error; // no answer: the session may well be alive
  }
  await manager.removeUser();
  show({ state: "signed_out", notice: "Your session has ended. Sign in again to continue." });
  return undefined;
}
