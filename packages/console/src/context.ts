import { isIP } from "node:net";
import {
  type Caller,
  DPOP_CHALLENGE,
  type Environment,
  isUndated,
  mintTimeOrderedId,
  type Role,
  readSession,
  requireBearer,
  resourceMetadataUrl,
  StoreUnavailable,
  scopesOf,
  scopeTokens,
} from "@gatehouse/auth";
import { findUser } from "@gatehouse/db/stores/accounts/users";
import { type ApiTokenFailure, apiTokenIn, authenticateApiToken } from "./api-tokens/authenticate.ts";
import type { ApiTokenLimits } from "./api-tokens/limits.ts";
import { CONSOLE_CLIENT_ID } from "./clients/built-in-clients.ts";
import type { OperationDeps } from "./deps.ts";
import { scopesOfRole } from "./permissions.ts";

/**
 * Id of the user that the caller expects the token to belong to. A page of the console stays open while somebody else
 * signs in with the same browser: what it sends then must not count as theirs. CO-87.
 */
const EXPECTED_USER_HEADER = "gatehouse-user";

/** The user who makes a request, and what the credential allows. With an API token, the admin who made it. */
export type Principal = {
  via: "session" | "bearer" | "api_token";
  userId: string;
  email: string;
  name: string;
  role: Role;
  scopes: readonly string[];
  /** The resource that the credential is for. */
  audience: string;
  /** The environment of the client that the access token was issued to; null for a session. D22. */
  environment: Environment | null;
  /** Public id of the session, also of the one in which a bearer token was issued; null for one without a session. */
  sessionId: string | null;
  /** The grant of the access token; null without one. */
  grantId?: string | null;
  /** The client that the access token was issued to; null for a session. */
  clientId: string | null;
  /**
   * When the first factor was proved, in Unix seconds; null if unknown. `freshSince` decides whether the sign-in is
   * fresh.
   */
  signedInAt: number | null;
  /** The provider where the user signed in did not say when; `signedInAt` is when they came back from it. UP-13. */
  undated?: boolean;
  /** The level at which the user signed in; null if unknown. */
  acr: string | null;
  /** Of an API token. CO-70. */
  apiToken?: ApiTokenLimits;
};

/**
 * No credential (or a cookie without an active session) · an invalid token · a token without a user · not the user that
 * the caller expects · the store failed.
 */
export type AuthenticationFailure =
  | "no_credential"
  | "invalid_token"
  | "no_user"
  | "other_user"
  | "unavailable"
  | ApiTokenFailure;

/** Where a request came from. */
export type RequestSource = {
  headers: Headers;
  address: string | null;
  /** Of the browser or program; cut. */
  userAgent?: string | null;
  /** Of a trusted proxy, or a new one. Also in the answer's header `X-Request-Id`, in errors and in the audit log. */
  requestId?: string;
};

export type Context = {
  deps: OperationDeps;
  /** The part that procedures use. */
  request: RequestSource;
  principal: Principal | undefined;
  /** `WWW-Authenticate` for a 401. RFC 9110 §11.6.1. */
  challenge: string;
  /** The nonce for the next DPoP proof, if this one had none from the server. RFC 9449 §9. */
  dpopNonce: string | null;
  /** Why there is no principal. */
  failure: AuthenticationFailure;
};

export type ContextInput = {
  request: Request;
  deps: OperationDeps;
  caller: Caller;
  /**
   * What counts besides access tokens. A browser sends its session cookie along, also with requests that another site
   * makes it send.
   */
  alsoAccepts: readonly ("session" | "api_token")[];
  /** The resources whose tokens the router's procedures accept; by default the built-in API. */
  audiences?: readonly string[];
};

/**
 * Authenticates a request by its access token or, where they count, by an API token or, without either, by the session
 * cookie. An invalid token is rejected even if the cookie is valid. Throws StoreUnavailable.
 */
export async function createContext({ request, deps, caller, alsoAccepts, audiences }: ContextInput): Promise<Context> {
  const challenge = `Bearer resource_metadata="${resourceMetadataUrl(deps.config)}", ${DPOP_CHALLENGE}`;
  const none = { principal: undefined, challenge, dpopNonce: null, failure: "no_credential" } as const;
  const source: RequestSource = {
    headers: request.headers,
    address: caller.address,
    userAgent: cutLine(request.headers.get("user-agent")),
    requestId: caller.requestId ?? mintTimeOrderedId(deps),
  };
  const base = { deps, request: source, ...none };

  const apiToken = alsoAccepts.includes("api_token") ? apiTokenIn(request.headers.get("authorization")) : undefined;
  if (apiToken !== undefined) return { ...base, ...(await readApiToken(apiToken, deps)) };

  if (request.headers.has("authorization")) {
    const bearer = await requireBearer(
      request,
      { scope: [], audience: audiences ?? deps.config.resource },
      deps,
      caller,
    );
    if (!bearer.ok) {
      const { status, headers } = bearer.response;
      const retryAfter = headers.get("retry-after");
      if (status === 503 && retryAfter)
        throw new StoreUnavailable("The access token could not be checked", { retryAfterSeconds: Number(retryAfter) });
      const failure = status >= 500 ? "unavailable" : "invalid_token";
      return {
        ...base,
        failure,
        challenge: headers.get("www-authenticate") ?? challenge,
        dpopNonce: headers.get("dpop-nonce"),
      };
    }
    const { token } = bearer;
    const user = token.userId === null ? undefined : await findUser(deps.db, token.userId);
    if (!user) return { ...base, failure: "no_user" };
    const expected = request.headers.get(EXPECTED_USER_HEADER);
    if (expected !== null && expected !== user.id) return { ...base, failure: "other_user" };
    const { id: userId, email, name, role } = user;
    const held = { scopes: scopeTokens(token.scope), audience: token.audience, environment: token.environment };
    const signIn = {
      sessionId: token.context?.sessionId ?? null,
      grantId: token.grantId,
      clientId: token.clientId,
      signedInAt: token.context?.authTime ?? null,
      undated: token.context?.undated ?? false,
      acr: token.context?.acr ?? null,
    };
    const from = token.clientId === CONSOLE_CLIENT_ID ? { ...source, ...browserOf(request.headers) } : source;
    return { ...base, request: from, principal: { via: "bearer", userId, email, name, role, ...held, ...signIn } };
  }

  if (!alsoAccepts.includes("session")) return base;
  const active = await readSession(request.headers.get("cookie"), deps);
  if (!active) return base;
  const { id: userId, email, name, role } = active.user;
  const held = { scopes: scopesOfRole(role, scopesOf(deps.config)), audience: deps.config.resource, environment: null };
  const { id: sessionId, authTime, acr } = active.session;
  const signIn = { sessionId, clientId: null, signedInAt: authTime, undated: isUndated(active.session), acr };
  return { ...base, principal: { via: "session", userId, email, name, role, ...held, ...signIn } };
}

/** The principal of an API token, or why it counts for nothing. */
async function readApiToken(
  secret: string,
  deps: OperationDeps,
): Promise<Pick<Context, "principal"> | Pick<Context, "failure">> {
  const found = await authenticateApiToken(secret, deps);
  if ("failure" in found) return found;
  const { scopes, maker, id, name, environments, clientId, firstPartyOrigins } = found.token;
  const account = { userId: maker.id, email: maker.email, name: maker.name, role: maker.role };
  const held = { scopes, audience: deps.config.resource, environment: null };
  const noSignIn = { sessionId: null, clientId: null, signedInAt: null, acr: null };
  const apiToken = { id, name, environments, clientId, firstPartyOrigins };
  return { principal: { via: "api_token", ...account, ...held, ...noSignIn, apiToken } };
}

const MAX_USER_AGENT = 300;
const cutLine = (text: string | null) => text?.slice(0, MAX_USER_AGENT) ?? null;

/**
 * The browser behind the console, which sends its address and name along. Believed with the console's own tokens alone:
 * they never leave its server. CO-64.
 */
function browserOf(headers: Headers): Partial<Pick<RequestSource, "address" | "userAgent">> {
  const address = headers.get("x-gatehouse-browser-address") ?? "";
  const userAgent = cutLine(headers.get("x-gatehouse-browser"));
  return { ...(isIP(address) !== 0 && { address }), ...(userAgent !== null && { userAgent }) };
}
