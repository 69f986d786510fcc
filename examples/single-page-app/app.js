// Signs in by code + PKCE, renews with a rotating refresh token, calls the API and signs out. No framework; the library is oidc-client-ts.
const { UserManager } = globalThis.oidc;
const { issuer, clientId } = await (await fetch("/settings.json")).json();

const manager = new UserManager({
  authority: issuer,
  client_id: clientId,
  redirect_uri: `${location.origin}/callback`,
  post_logout_redirect_uri: `${location.origin}/signed-out`,
  scope: "openid profile email offline_access api:read", // offline_access: renew without asking the user again
  automaticSilentRenew: true, // a minute before the access token expires
  revokeTokensOnSignout: true,
});

const element = (selector) => document.querySelector(selector);
const status = element("[role=status]");
const output = element("pre");

function show(user) {
  status.textContent = user ? `Signed in as ${user.profile.email}` : "You are not signed in.";
  for (const id of ["call", "renew", "sign-out"]) element(`#${id}`).hidden = !user;
  element("#sign-in").hidden = Boolean(user);
}

/** Tokens are in the tab's session storage, so another tab signs in by itself. */
async function signedInUser() {
  const user = await manager.getUser();
  return user?.expired ? manager.signinSilent() : user;
}

async function callApi() {
  const user = await signedInUser();
  const response = await fetch(`${issuer}/api/resource`, {
    headers: { authorization: `Bearer ${user?.access_token}` },
  });
  output.textContent = `GET /api/resource: ${response.status}\n${await response.text()}`;
  if (response.status === 401) await forget(); // revoked
}

async function renew() {
  show(await manager.signinSilent());
  output.textContent = "Renewed.";
}

async function forget() {
  await manager.removeUser();
  show(null);
}

/** Runs the action and shows an error in the page. */
const run = (action) => () =>
  action().catch((error) => {
    output.textContent = `${error.error ?? error.name}: ${error.message}`;
  });

element("#sign-in").onclick = run(() => manager.signinRedirect());
element("#call").onclick = run(callApi);
element("#renew").onclick = run(renew);
element("#sign-out").onclick = run(() => manager.signoutRedirect());
manager.events.addSilentRenewError(forget); // the access has ended

await run(async () => {
  if (location.pathname === "/callback") await manager.signinCallback();
  if (location.pathname === "/signed-out") await manager.signoutCallback();
})();
history.replaceState(null, "", "/"); // a reload must not redeem the code again
await run(async () => show(await signedInUser()))();
