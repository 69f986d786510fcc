// npm install react react-dom oidc-client-ts, and npm install -D vite @vitejs/plugin-react
// npx vite
import { UserManager } from "oidc-client-ts";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

const redirectUri = "__REDIRECT_URI__";
const gatehouse = new UserManager({
  authority: "__ISSUER__",
  client_id: "__CLIENT_ID__",
  redirect_uri: redirectUri,
  scope: "__SCOPES__",
});

/** The signed-in user, or null. Run once, because a code works once. */
async function signedIn() {
  if (window.location.pathname !== new URL(redirectUri).pathname) return gatehouse.getUser();
  const user = await gatehouse.signinCallback();
  window.history.replaceState(null, "", "/");
  return user ?? null;
}
const firstUser = signedIn();

function App() {
  const [state, setState] = useState({ text: "Loading…", user: undefined });
  useEffect(() => {
    firstUser.then(
      (user) =>
        setState({
          user,
          text: user ? `Signed in as ${user.profile.email}. Scopes: ${user.scope}` : "You are not signed in.",
        }),
      (error) => setState({ user: null, text: `Not signed in: ${error.message}` }),
    );
  }, []);
  return (
    <>
      <p>{state.text}</p>
      {state.user === null && (
        <button type="button" onClick={() => gatehouse.signinRedirect()}>
          Sign in
        </button>
      )}
    </>
  );
}

createRoot(document.getElementById("root")).render(<App />);
