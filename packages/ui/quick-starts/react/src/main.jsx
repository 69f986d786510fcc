// npm install react react-dom oidc-client-ts, and npm install -D vite @vitejs/plugin-react
// npx vite
import { UserManager } from "oidc-client-ts";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

const issuer = "__ISSUER__";
const redirectUri = "__REDIRECT_URI__";
const postLogoutRedirectUri = "__POST_LOGOUT_REDIRECT_URI__"; // as registered; empty if none is

const gatehouse = new UserManager({
  authority: issuer,
  client_id: "__CLIENT_ID__",
  redirect_uri: redirectUri,
  post_logout_redirect_uri: postLogoutRedirectUri || undefined,
  scope: "__SCOPES__",
  loadUserInfo: true,
  automaticSilentRenew: false, // the user signs in again: without a page, if the session at Gatehouse lives on
});

/** The signed-in user, or null. Run once, because a code works once. */
async function signedIn() {
  const { pathname, search } = window.location;
  if (pathname === new URL(redirectUri).pathname && new URLSearchParams(search).has("state")) {
    const answer = gatehouse.signinCallback().finally(() => window.history.replaceState(null, "", "/"));
    return (await answer) ?? null;
  }
  const user = await gatehouse.getUser();
  if (!user || (!user.expired && !(await hasEnded(user)))) return user;
  await gatehouse.removeUser();
  return null;
}
const firstUser = signedIn();

/** Whether the session at Gatehouse has ended. */
async function hasEnded({ access_token }) {
  const headers = { authorization: `Bearer ${access_token}` };
  const response = await fetch(`${issuer}/userinfo`, { headers }).catch(() => undefined);
  return response?.status === 401;
}

function App() {
  const [{ user, text }, setState] = useState({ user: undefined, text: "Loading…" });
  useEffect(() => {
    firstUser.then(
      (found) => setState({ user: found, text: found ? "" : "You are not signed in." }),
      (error) => setState({ user: null, text: `Not signed in: ${error.message}` }),
    );
    return gatehouse.events.addAccessTokenExpired(async () => {
      await gatehouse.removeUser();
      setState({ user: null, text: "Your session has expired." });
    });
  }, []);

  async function signOut() {
    if (postLogoutRedirectUri) return gatehouse.signoutRedirect(); // ends the session at Gatehouse too
    await gatehouse.removeUser();
    return setState({ user: null, text: "You are signed out of this app, but not of Gatehouse." });
  }

  if (user) {
    const { email, name, sub } = user.profile;
    return (
      <>
        <p>Signed in as {email ?? name ?? sub}</p>
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </>
    );
  }
  return (
    <>
      <p>{text}</p>
      {user === null && (
        <button type="button" onClick={() => gatehouse.signinRedirect()}>
          Sign in
        </button>
      )}
    </>
  );
}

createRoot(document.getElementById("root")).render(<App />);
