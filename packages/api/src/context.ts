import { type Caller, type OAuthErrorCode, type Role, readSession, requireBearer } from "@gatehouse/auth";
import { findUser } from "@gatehouse/db";
import { scopesOfRole } from "./access.ts";
import type { ApiDeps } from "./deps.ts";

/** The person behind a request, and what the credential allows. */
export type Principal = {
  via: "session" | "bearer";
  userId: string;
  email: string;
  name: string;
  role: Role;
  scopes: readonly string[];
  /** Public id of the session that asks; null for a bearer token. */
  sessionId: string | null;
};

export type Context = {
  deps: ApiDeps;
  /** Only what the procedures look at. */
  request: { headers: Headers };
  principal: Principal | undefined;
  /** `WWW-Authenticate` for a 401. RFC 9110 §11.6.1. */
  challenge: string;
  /** A credential was sent and refused; null when none was sent. */
  refusal: OAuthErrorCode | null;
};

/**
 * Reads who is asking: a bearer token meant for our API, or else the session cookie.
 * A token that is sent is decisive: a bad one is refused even beside a good cookie.
 */
export async function createContext(given: { request: Request; deps: ApiDeps; caller: Caller }): Promise<Context> {
  const { request, deps, caller } = given;
  const base = { deps, request: { headers: request.headers }, challenge: `Bearer realm="${deps.config.issuer}"`, refusal: null };

  if (request.headers.has("authorization")) {
    const bearer = await requireBearer(request, { scope: [] }, deps, caller);
    if (!bearer.ok) {
      const challenge = bearer.response.headers.get("www-authenticate") ?? base.challenge;
      return { ...base, principal: undefined, challenge, refusal: "invalid_token" };
    }
    const { token } = bearer;
    const user = token.userId === null ? undefined : await findUser(deps.handle, token.userId);
    if (!user) return { ...base, principal: undefined, refusal: null };
    const { id: userId, email, name, role } = user;
    return { ...base, principal: { via: "bearer", userId, email, name, role, scopes: token.scope.split(" "), sessionId: null } };
  }

  const active = await readSession(request.headers.get("cookie"), deps);
  if (!active) return { ...base, principal: undefined };
  const { id: userId, email, name, role } = active.user;
  const principal = { via: "session", userId, email, name, role, scopes: scopesOfRole(role), sessionId: active.session.id } as const;
  return { ...base, principal };
}
