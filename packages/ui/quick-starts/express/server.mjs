// npm install express openid-client
// node --env-file=.env server.mjs
import { randomUUID } from "node:crypto";
import express from "express";
import * as oauth from "openid-client";

const issuer = new URL("__ISSUER__");
const redirectUri = new URL("__REDIRECT_URI__");
const postLogoutRedirectUri = "__POST_LOGOUT_REDIRECT_URI__"; // as registered; empty if none is
const secret = oauth.ClientSecretBasic(process.env.CLIENT_SECRET);
const options = issuer.protocol === "http:" ? { execute: [oauth.allowInsecureRequests] } : {}; // http only on your own machine
const gatehouse = await oauth.discovery(issuer, "__CLIENT_ID__", {}, secret, options);

const sessions = new Map(); // in memory: use a session store in production
const cookie = { httpOnly: true, sameSite: "lax", secure: redirectUri.protocol === "https:" };
const cookieOf = (request, name) => new RegExp(`(?:^|; )${name}=([^;]+)`).exec(request.headers.cookie ?? "")?.[1] ?? "";
const text = (value) => String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const signInLink = '<p><a href="/login">Sign in</a></p>';

const app = express();

/** The redirect URI. It comes first, so that it can be any path. */
app.use(async (request, response, next) => {
  const answer = new URL(redirectUri.origin + request.originalUrl);
  if (answer.pathname !== redirectUri.pathname || !answer.searchParams.has("state")) return next();
  const [expectedState, pkceCodeVerifier] = cookieOf(request, "app_sign_in").split(".");
  response.clearCookie("app_sign_in", cookie);
  if (!pkceCodeVerifier) return response.redirect(303, "/login");
  try {
    const tokens = await oauth.authorizationCodeGrant(gatehouse, answer, { expectedState, pkceCodeVerifier });
    const id = randomUUID();
    const { access_token: accessToken, id_token: idToken } = tokens; // they stay on the server
    sessions.set(id, { accessToken, idToken, subject: tokens.claims().sub });
    response.cookie("app_session", id, cookie);
    return response.redirect(303, "/");
  } catch (error) {
    return response.status(400).send(`<p>Not signed in: ${text(error.error ?? error.message)}</p>${signInLink}`);
  }
});

app.get("/", async (request, response) => {
  const id = cookieOf(request, "app_session");
  const session = sessions.get(id);
  if (!session) return response.send(`<p>You are not signed in.</p>${signInLink}`);
  const user = await userOf(session);
  if (user === undefined) {
    sessions.delete(id);
    return response.redirect(303, "/login");
  }
  const name = text(user.email ?? user.name ?? user.sub);
  return response.send(
    `<p>Signed in as ${name}</p><form method="post" action="/logout"><button>Sign out</button></form>`,
  );
});

/** Who the user is; undefined once the session at Gatehouse has ended or the access token has expired. */
function userOf({ accessToken, subject }) {
  return oauth.fetchUserInfo(gatehouse, accessToken, subject).catch((error) => {
    if (error.status === 401) return undefined;
    throw error;
  });
}

app.get("/login", async (_, response) => {
  const state = oauth.randomState();
  const verifier = oauth.randomPKCECodeVerifier();
  response.cookie("app_sign_in", `${state}.${verifier}`, { ...cookie, maxAge: 600_000 }); // ties the answer to this browser
  const url = oauth.buildAuthorizationUrl(gatehouse, {
    redirect_uri: redirectUri.href,
    scope: "__SCOPES__",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  response.redirect(303, url.href);
});

app.post("/logout", (request, response) => {
  const id = cookieOf(request, "app_session");
  const session = sessions.get(id);
  sessions.delete(id);
  response.clearCookie("app_session", cookie);
  if (!session || postLogoutRedirectUri === "")
    return response.send(`<p>You are signed out of this app, but not of Gatehouse.</p>${signInLink}`);
  // Ends the session at Gatehouse too, which sends the browser back.
  const hint = { id_token_hint: session.idToken, post_logout_redirect_uri: postLogoutRedirectUri };
  return response.redirect(303, oauth.buildEndSessionUrl(gatehouse, hint).href);
});

app.use((_, response) => response.redirect(303, "/"));

app.listen(Number("__PORT__"), "__HOST__", () => console.log(`Open ${redirectUri.origin}`));
