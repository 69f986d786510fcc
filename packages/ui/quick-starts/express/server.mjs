// npm install express openid-client
// node --env-file=.env server.mjs
import express from "express";
import * as oauth from "openid-client";

const issuer = new URL("__ISSUER__");
const redirectUri = new URL("__REDIRECT_URI__");
const secret = oauth.ClientSecretBasic(process.env.CLIENT_SECRET);
const options = issuer.protocol === "http:" ? { execute: [oauth.allowInsecureRequests] } : {}; // http only on your own machine
const gatehouse = await oauth.discovery(issuer, "__CLIENT_ID__", {}, secret, options);

const app = express();

app.get("/", (_, response) => {
  response.send('<a href="/login">Sign in</a>');
});

app.get("/login", async (_, response) => {
  const state = oauth.randomState();
  const verifier = oauth.randomPKCECodeVerifier();
  const cookie = { httpOnly: true, sameSite: "lax", secure: redirectUri.protocol === "https:", maxAge: 600_000 };
  response.cookie("sign_in", `${state}.${verifier}`, cookie); // ties the callback to this browser
  const url = oauth.buildAuthorizationUrl(gatehouse, {
    redirect_uri: redirectUri.href,
    scope: "__SCOPES__",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  response.redirect(303, url.href);
});

app.get(redirectUri.pathname, async (request, response) => {
  const cookie = /(?:^|; )sign_in=([^;]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
  const [expectedState, pkceCodeVerifier] = cookie.split(".");
  response.clearCookie("sign_in");
  if (!expectedState) return response.redirect(303, "/login");
  const answer = new URL(request.originalUrl, redirectUri);
  const tokens = await oauth.authorizationCodeGrant(gatehouse, answer, { expectedState, pkceCodeVerifier });
  // Start your own session here, and keep the tokens on the server.
  return response.type("text").send(`Signed in as ${tokens.claims()?.email}. Scopes: ${tokens.scope}`);
});

app.listen(Number(redirectUri.port || 4000), "localhost", () => console.log(`Open ${redirectUri.origin}`));
