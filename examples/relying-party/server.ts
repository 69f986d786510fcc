import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import * as oauth from "openid-client";

const {
  ISSUER = "http://localhost:3000",
  CLIENT_ID = "example-relying-party",
  CLIENT_SECRET,
  PORT = "4000",
} = process.env;
const origin = `http://localhost:${PORT}`;
const signIn = "<p><a href='/login'>Sign in with Gatehouse</a></p>";

type Tokens = { accessToken: string; refreshToken: string | undefined; expiresAt: number; scope: string };
type Session = { login?: { expectedState: string; pkceCodeVerifier: string }; tokens?: Tokens };
type Page = { status?: number; html: string } | { location: string };
const sessions = new Map<string, Session>(); // in memory: users sign in again after a restart

const authentication = CLIENT_SECRET ? oauth.ClientSecretBasic(CLIENT_SECRET) : oauth.None();
const execute = ISSUER.startsWith("http:") ? [oauth.allowInsecureRequests] : [];
const config = await oauth
  .discovery(new URL(ISSUER), CLIENT_ID, {}, authentication, { algorithm: "oauth2", execute })
  .catch((error) => {
    console.error(`No Gatehouse answers at ${ISSUER} (${error}). Start it with: npm start`);
    process.exit(1);
  });

const pages: Record<string, (session: Session, url: URL) => Page | Promise<Page>> = {
  "/": ({ tokens }) => {
    if (!tokens) return { html: `<p>You are not signed in.</p>${signIn}` };
    return { html: `<p>You are signed in, with ${text(tokens.scope)}.</p><p><a href='/call'>Call the API</a></p>` };
  },

  "/login": async (session) => {
    const login = { expectedState: oauth.randomState(), pkceCodeVerifier: oauth.randomPKCECodeVerifier() };
    session.login = login;
    const code_challenge = await oauth.calculatePKCECodeChallenge(login.pkceCodeVerifier);
    const asked = { redirect_uri: `${origin}/callback`, scope: "offline_access api:read", state: login.expectedState };
    return {
      location: oauth.buildAuthorizationUrl(config, { ...asked, code_challenge, code_challenge_method: "S256" }).href,
    };
  },

  "/callback": async (session, url) => {
    const { login } = session;
    if (!login) return { status: 400, html: `<p>This sign-in was not started here.</p>${signIn}` };
    delete session.login; // each sign-in has one callback
    session.tokens = keep(await oauth.authorizationCodeGrant(config, url, login)); // checks state and iss
    return { location: "/" };
  },

  "/call": async (session) => {
    if (session.tokens?.refreshToken && Date.now() > session.tokens.expiresAt - 10_000) {
      const fresh = await oauth.refreshTokenGrant(config, session.tokens.refreshToken).catch(() => undefined);
      if (fresh) session.tokens = keep(fresh, session.tokens.refreshToken);
    }
    if (!session.tokens) return { location: "/" };
    const response = await fetch(`${ISSUER}/api/resource`, {
      headers: { authorization: `Bearer ${session.tokens.accessToken}` },
    });
    const answer = `<p>GET /api/resource: <strong>${response.status}</strong></p><pre>${text(await response.text())}</pre>`;
    if (response.status !== 401) return { html: `${answer}<p><a href='/call'>Call again</a></p>` };
    delete session.tokens;
    return { status: 401, html: `${answer}<p>Access was revoked, sign in again.</p>${signIn}` };
  },
};

function keep(answer: oauth.TokenEndpointResponse, previous?: string): Tokens {
  const { access_token, refresh_token = previous, expires_in = 0, scope = "" } = answer;
  return { accessToken: access_token, refreshToken: refresh_token, expiresAt: Date.now() + expires_in * 1000, scope };
}

const text = (value: unknown) => String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

createServer(async (request, response) => {
  const sent = /(?:^|; )example_session=([\w-]{36})/.exec(request.headers.cookie ?? "")?.[1] ?? "";
  const id = sessions.has(sent) ? sent : randomUUID();
  const session = sessions.get(id) ?? {};
  const answer = async (url: URL) =>
    pages[url.pathname]?.(session, url) ?? { status: 404, html: "<p>There is no such page.</p>" };
  const failed = (error: unknown) => {
    const { error: code = error, error_description: why = "" } = Object(error); // an OAuth error, if it is one
    return { status: 400, html: `<p>That did not work: ${text(code)} ${text(why)}</p>${signIn}` };
  };
  const page = await answer(new URL(`${origin}/${request.url?.replace(/^\/+/, "")}`)).catch(failed);
  if (session.login || session.tokens) sessions.set(id, session);
  response.setHeader("set-cookie", `example_session=${id}; HttpOnly; SameSite=Lax; Path=/`);
  if ("location" in page) return response.writeHead(303, { location: page.location }).end();
  response.writeHead(page.status ?? 200, { "content-type": "text/html; charset=utf-8" });
  return response.end(
    `<!doctype html><html lang="en"><title>Example</title><h1>Example relying party</h1>${page.html}`,
  );
}).listen(Number(PORT), "localhost", () => console.log(`Example relying party: ${origin}, signing in at ${ISSUER}`));
