import {
  type Caller,
  DPOP_CHALLENGE,
  type Environment,
  type Role,
  readSession,
  requireBearer,
  resourceMetadataUrl,
  StoreUnavailable,
  scopesOf,
  scopeTokens,
} from "@gatehouse/auth";
import { findUser } from "@gatehouse/db";
import { type OperationDeps, scopesOfRole } from "@gatehouse/operations";

/** The user who makes a request, and what the credential allows. */
export type Principal = {
  via: "session" | "bearer";
  userId: string;
  email: string;
  name: string;
  role: Role;
  scopes: readonly string[];
  /** The resource that the credential is for. */
  audience: string;
  /** The environment of the client that the access token was issued to; null for a session. D22. */
  environment: Environment | null;
  /** Public id of the session; null for a bearer token. */
  sessionId: string | null;
  /** The client that the access token was issued to; null for a session. */
  clientId: string | null;
  /** When the user signed in, in Unix seconds; null if unknown. */
  authTime: number | null;
};

/** No credential (or a cookie without an active session) · an invalid token · a token without a user · the store failed. */
export type AuthenticationFailure = "no_credential" | "invalid_token" | "no_user" | "unavailable";

export type Context = {
  deps: OperationDeps;
  /** The part that procedures use. */
  request: { headers: Headers; address: string | null };
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
  /** The resources whose tokens the router's procedures accept; by default the built-in API. */
  audiences?: readonly string[];
};

/**
 * Authenticates a request by its bearer token or, without one, by the session cookie. An invalid token is rejected even if the cookie is
 * valid. Throws StoreUnavailable.
 */
export async function createContext({ request, deps, caller, audiences }: ContextInput): Promise<Context> {
  const challenge = `Bearer resource_metadata="${resourceMetadataUrl(deps.config)}", ${DPOP_CHALLENGE}`;
  const none = { principal: undefined, challenge, dpopNonce: null, failure: "no_credential" } as const;
  const base = { deps, request: { headers: request.headers, address: caller.address }, ...none };

  if (request.headers.has("authorization")) {
    const bearer = await requireBearer(request, { scope: [], audience: audiences ?? deps.config.resource }, deps, caller);
    if (!bearer.ok) {
      const { status, headers } = bearer.response;
      const retryAfter = headers.get("retry-after");
      if (status === 503 && retryAfter)
        throw new StoreUnavailable("The access token could not be checked", { retryAfterSeconds: Number(retryAfter) });
      const failure = status >= 500 ? "unavailable" : "invalid_token";
      return { ...base, failure, challenge: headers.get("www-authenticate") ?? challenge, dpopNonce: headers.get("dpop-nonce") };
    }
    const { token } = bearer;
    const user = token.userId === null ? undefined : await findUser(deps.handle, token.userId);
    if (!user) return { ...base, failure: "no_user" };
    const { id: userId, email, name, role } = user;
    const held = { scopes: scopeTokens(token.scope), audience: token.audience, environment: token.environment };
    const signIn = { sessionId: null, clientId: token.clientId, authTime: token.context?.authTime ?? null };
    return { ...base, principal: { via: "bearer", userId, email, name, role, ...held, ...signIn } };
  }

  const active = await readSession(request.headers.get("cookie"), deps);
  if (!active) return base;
  const { id: userId, email, name, role } = active.user;
  const held = { scopes: scopesOfRole(role, scopesOf(deps.config)), audience: deps.config.resource, environment: null };
  const signIn = { sessionId: active.session.id, clientId: null, authTime: active.session.authTime };
  return { ...base, principal: { via: "session", userId, email, name, role, ...held, ...signIn } };
}
