import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import * as oauth from "openid-client";
import {
  callPage,
  endedPage,
  errorPage,
  homePage,
  notFoundPage,
  type Page,
  render,
  signedOutPage,
  type User,
  welcomePage,
} from "./pages.ts";

const {
  ISSUER = "http://localhost:3000",
  CLIENT_ID = "example-relying-party",
  CLIENT_SECRET,
  POST_LOGOUT_REDIRECT_URI,
  PORT = "4000",
} = process.env;
const origin = `http://localhost:${PORT}`;
const style = readFileSync(new URL("style.css", import.meta.url));

type Tokens = { access: string; refresh: string | undefined; id: string; expiresAt: number; scope: string };
type Session = {
  login?: { expectedState: string; pkceCodeVerifier: string };
  signedIn?: { user: User; tokens: Tokens };
};
const sessions = new Map<string, Session>(); // in memory: users sign in again after a restart

const authentication = CLIENT_SECRET ? oauth.ClientSecretBasic(CLIENT_SECRET) : oauth.None();
const execute = ISSUER.startsWith("http:") ? [oauth.allowInsecureRequests] : [];
const config = await oauth.discovery(new URL(ISSUER), CLIENT_ID, {}, authentication, { execute }).catch((error) => {
  console.error(`No Gatehouse answers at ${ISSUER} (${error}). Start it with: npm start`);
  process.exit(1);
});

type Answer = Page | { location: string };
const routes: Record<string, (session: Session, url: URL) => Answer | Promise<Answer>> = {
  "GET /": ({ signedIn }) => (signedIn ? homePage(signedIn.user, signedIn.tokens.scope) : welcomePage),

  "GET /login": async (session) => {
    const login = { expectedState: oauth.randomState(), pkceCodeVerifier: oauth.randomPKCECodeVerifier() };
    session.login = login;
    const url = oauth.buildAuthorizationUrl(config, {
      redirect_uri: `${origin}/callback`,
      scope: "openid profile email offline_access api:read",
      state: login.expectedState,
      code_challenge: await oauth.calculatePKCECodeChallenge(login.pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    return { location: url.href };
  },

  "GET /callback": async (session, url) => {
    const { login } = session;
    if (!login) return errorPage(400, "This sign-in was not started in this browser.", "no sign-in under way");
    delete session.login; // each sign-in has one callback
    const answer = await oauth.authorizationCodeGrant(config, url, login); // checks state and iss
    const claims = answer.claims();
    const email = typeof claims?.["email"] === "string" ? claims["email"] : undefined;
    const user = { name: String(claims?.["name"] ?? email ?? claims?.sub), email };
    session.signedIn = { user, tokens: tokensOf(answer) };
    return { location: "/" };
  },

  "GET /call": async (session) => {
    const { signedIn } = session;
    if (!signedIn) return { location: "/" };
    signedIn.tokens = await fresh(signedIn.tokens);
    const headers = { authorization: `Bearer ${signedIn.tokens.access}` };
    const response = await fetch(`${ISSUER}/api/resource`, { headers });
    if (response.status !== 401) return callPage(signedIn.user, response.status, await response.text());
    delete session.signedIn;
    return endedPage(response.status);
  },

  "POST /logout": ({ signedIn }) => {
    if (!signedIn) return { location: "/" };
    if (!POST_LOGOUT_REDIRECT_URI) return signedOutPage;
    // Ends the session at Gatehouse too, which sends the browser back.
    const hint = { id_token_hint: signedIn.tokens.id, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI };
    return { location: oauth.buildEndSessionUrl(config, hint).href };
  },
};

function tokensOf(answer: oauth.TokenEndpointResponse, previous?: Tokens): Tokens {
  const { access_token, refresh_token = previous?.refresh, id_token = previous?.id ?? "" } = answer;
  const { expires_in = 0, scope = previous?.scope ?? "" } = answer;
  const expiresAt = Date.now() + expires_in * 1000;
  return { access: access_token, refresh: refresh_token, id: id_token, expiresAt, scope };
}

/** The tokens, refreshed if they are about to expire. A refused refresh leaves the old ones, which the API refuses. */
async function fresh(tokens: Tokens): Promise<Tokens> {
  if (!tokens.refresh || Date.now() < tokens.expiresAt - 10_000) return tokens;
  const answer = await oauth.refreshTokenGrant(config, tokens.refresh).catch(() => undefined);
  return answer ? tokensOf(answer, tokens) : tokens;
}

/** The page for an error of the library, of Gatehouse, or of the way to it. */
function failed(error: unknown): Page {
  const { error: code, error_description: why } = Object(error) as { error?: string; error_description?: string };
  if (code === "access_denied") return errorPage(400, "Access was not allowed, so you are not signed in.", code);
  if (code !== undefined) return errorPage(400, why ?? "Gatehouse refused the sign-in.", code);
  console.error(error);
  return errorPage(502, "Gatehouse cannot be reached. Try again in a moment.", "see the terminal");
}

createServer(async (request, response) => {
  const url = new URL(`${origin}/${request.url?.replace(/^\/+/, "")}`);
  if (url.pathname === "/style.css") return response.writeHead(200, { "content-type": "text/css" }).end(style);

  const sent = /(?:^|; )example_session=([\w-]{36})/.exec(request.headers.cookie ?? "")?.[1] ?? "";
  const session = sessions.get(sent) ?? {};
  const wasSignedIn = session.signedIn !== undefined;
  const route = routes[`${request.method} ${url.pathname}`];
  const answer = await (async () => route?.(session, url) ?? notFoundPage)().catch(failed);
  if (url.pathname === "/logout") sessions.delete(sent);
  else if (session.login || session.signedIn) {
    // A new id at sign-in: nobody else can know it.
    const id = sessions.has(sent) && wasSignedIn === (session.signedIn !== undefined) ? sent : randomUUID();
    if (id !== sent) sessions.delete(sent);
    sessions.set(id, session);
    response.setHeader("set-cookie", `example_session=${id}; HttpOnly; SameSite=Lax; Path=/`);
  }
  if ("location" in answer) return response.writeHead(303, { location: answer.location }).end();
  response.writeHead(answer.status ?? 200, { "content-type": "text/html; charset=utf-8" });
  return response.end(render(answer));
}).listen(Number(PORT), "localhost", () => console.log(`Example web app: ${origin}, signing in at ${ISSUER}`));
