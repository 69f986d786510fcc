import { createHash, randomBytes } from "node:crypto";
import { type Agent, newAgent, type Page, readable } from "./agent.ts";
import { CLIENTS, emailOf, PASSWORD } from "./fixture.ts";
import { type Answer, encodeForm, type Fields, json, postForm, send, textOf } from "./http.ts";

/** What a test needs to act as a client. */
export type ActingClient = { client_id: string; client_secret?: string; redirect_uris?: readonly string[] };

export type Proof = { verifier: string; challenge: string };

/** A new PKCE pair. */
export function newProof(): Proof {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

export function redirectUriOf(client: ActingClient): string {
  const uri = client.redirect_uris?.[0];
  if (uri === undefined) throw new Error(`${client.client_id} has no redirect URI`);
  return uri;
}

/**
 * A valid request to `/authorize` for this client; `change` replaces, adds, repeats (a list) or removes (undefined)
 * parameters.
 */
export function authorizePath(client: ActingClient, change: Fields = {}): string {
  const right: Fields = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUriOf(client),
    code_challenge: newProof().challenge,
    code_challenge_method: "S256",
    scope: "api:read",
    state: "the-state",
  };
  return `/authorize?${encodeForm({ ...right, ...change })}`;
}

/** Signs a user of the fixture in on the sign-in page. */
export async function signIn(issuer: string, name: string, agent: Agent = newAgent(issuer)): Promise<Agent> {
  const page = await agent.submit(await agent.open("/sign-in"), {
    fields: { Email: emailOf(name), Password: PASSWORD },
    button: "Sign in",
  });
  if (page.status !== 200) throw new Error(`sign-in of ${name}: ${page.status} ${page.url}\n${readable(page)}`);
  return agent;
}

/** Opens `/authorize`, presses Allow if asked, and returns the redirect to the client. */
export async function authorize(agent: Agent, client: ActingClient, change: Fields = {}): Promise<Page> {
  const page = await agent.open(authorizePath(client, change));
  const asked = page.status === 200 && page.text.includes("Allow");
  return asked ? agent.submit(page, { button: "Allow" }) : page;
}

/** The parameters of a redirect to a client; fails if the page is not one. */
export function callback(page: Page): { uri: string; params: URLSearchParams } {
  const location = page.headers.get("location");
  if (page.status !== 303 || location === null) {
    throw new Error(`expected a redirect to the client, got ${page.status} ${page.url}\n${readable(page)}`);
  }
  const at = location.indexOf("?");
  return {
    uri: at < 0 ? location : location.slice(0, at),
    params: new URLSearchParams(at < 0 ? "" : location.slice(at + 1)),
  };
}

export type Obtained = { code: string; verifier: string; redirectUri: string };

/** A new authorization code for a signed-in agent. */
export async function obtainCode(agent: Agent, client: ActingClient, change: Fields = {}): Promise<Obtained> {
  const { verifier, challenge } = newProof();
  const { params } = callback(await authorize(agent, client, { code_challenge: challenge, ...change }));
  const code = params.get("code");
  if (code === null) throw new Error(`no code but ${params}`);
  const redirectUri = change["redirect_uri"];
  return { code, verifier, redirectUri: typeof redirectUri === "string" ? redirectUri : redirectUriOf(client) };
}

/** `Authorization: Basic` with both halves form-urlencoded. OAuth 2.1 §2.4.1. */
export function basic(clientId: string, secret: string): { authorization: string } {
  const half = (text: string) => encodeForm({ x: text }).slice(2);
  return { authorization: `Basic ${Buffer.from(`${half(clientId)}:${half(secret)}`).toString("base64")}` };
}

/** The client's authentication: Basic with a secret, otherwise `client_id` in the body. */
export function asClient(client: ActingClient, fields: Fields): { fields: Fields; headers: Record<string, string> } {
  return client.client_secret === undefined
    ? { fields: { client_id: client.client_id, ...fields }, headers: {} }
    : { fields, headers: basic(client.client_id, client.client_secret) };
}

/** Posts to an endpoint, authenticated as `client`. */
export function postAs(
  issuer: string,
  path: string,
  client: ActingClient,
  fields: Fields,
  more: Record<string, string> = {},
): Promise<Answer> {
  const { fields: body, headers } = asClient(client, fields);
  return postForm(issuer, path, body, { ...headers, ...more });
}

export function redeem(
  issuer: string,
  client: ActingClient,
  obtained: Obtained,
  change: Fields = {},
  more: Record<string, string> = {},
): Promise<Answer> {
  const { code, verifier, redirectUri } = obtained;
  const fields = {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    ...change,
  };
  return postAs(issuer, "/token", client, fields, more);
}

export function refresh(issuer: string, client: ActingClient, token: string, change: Fields = {}): Promise<Answer> {
  return postAs(issuer, "/token", client, { grant_type: "refresh_token", refresh_token: token, ...change });
}

export type Tokens = { access: string; refresh: string };

export function tokensOf(answer: Answer): Tokens {
  return { access: textOf(answer, "access_token"), refresh: textOf(answer, "refresh_token") };
}

/** Runs the code flow: the client's tokens for the signed-in user. */
export async function obtainTokens(agent: Agent, client: ActingClient, change: Fields = {}): Promise<Tokens> {
  return tokensOf(await redeem(agent.origin, client, await obtainCode(agent, client, change)));
}

/** A client credentials token. */
export async function serviceToken(
  issuer: string,
  client: ActingClient = CLIENTS.service,
  change: Fields = {},
): Promise<string> {
  return textOf(
    await postAs(issuer, "/token", client, { grant_type: "client_credentials", ...change }),
    "access_token",
  );
}

/** `GET /api/resource` with a bearer token. */
export function callApi(issuer: string, token: string): Promise<Answer> {
  return send(issuer, "/api/resource", { headers: { authorization: `Bearer ${token}` } });
}

/** `[status, error]`, enough for most errors. */
export function refusal(answer: Answer): [number, unknown] {
  return [answer.status, json(answer)["error"]];
}
