import { type Core, createCore, type Incoming } from "./core.ts";
import type { GatehouseError } from "./error.ts";
import type { Environment, GatehouseOptions } from "./options.ts";
import { errorOf } from "./refusal/json.ts";
import type { Demand, Refusal } from "./refusal/refusal.ts";
import type { ReadOptions } from "./session/reading.ts";
import type { Session, User } from "./session/session.ts";
import { type Roles, rolesOf } from "./settings.ts";
import type { TokenDemand, VerifiedToken } from "./verify-token/token.ts";
import { createTokens, type Tokens } from "./verify-token/verify-token.ts";

/** What a route or procedure requires of its caller. */
export type AuthDemand = Demand &
  TokenDemand & {
    /**
     * How the caller may say who it is: an access token in the `Authorization` header, the session cookie of a browser,
     * or either. A cookie never counts where only tokens do.
     */
    accept?: "bearer" | "session" | "any" | undefined;
  };

/** Who sent a request. */
export type RequestAuth = {
  via: "session" | "token";
  /** Null for a client that acts for itself. */
  userId: string | null;
  /** The signed-in user; null with an access token, which says nothing personal. */
  user: User | null;
  /** The client of the access token; of a session, this app's own. */
  clientId: string;
  /** An array, so that `includes` compares whole scopes. */
  scope: readonly string[];
  environment: Environment;
  /** How strong the sign-in was, such as `urn:gatehouse:acr:password`. */
  acr: string | null;
  /** When the user signed in, in Unix seconds. */
  authTime: number | null;
};

/** The caller of a request that may pass, or how to refuse it. `setCookies` belong to the response either way. */
export type Authorized = { ok: true; auth: RequestAuth; setCookies: readonly string[] } | Refused;

type Refused = { ok: false; error: GatehouseError; respond(): Promise<Response>; setCookies: readonly string[] };

/** What Express, Hono and tRPC are built on: sessions and access tokens of one product. */
export type Authorizer = {
  core: Core;
  tokens: Tokens;
  roles(): Roles;
  authorize(request: Incoming, demand: AuthDemand, options: ReadOptions): Promise<Authorized>;
};

/** Nothing is read or asked before the first call. PK-12. */
export function createAuthorizer(options: GatehouseOptions): Authorizer {
  const core = createCore(options);
  const tokens = createTokens(options);
  const sent = new WeakSet<readonly string[]>();
  return {
    core,
    tokens,
    roles: () => rolesOf(options),
    async authorize(request, { accept = "bearer", ...demand }, readOptions) {
      // A request with an access token is judged by that alone: an invalid one is never made up for by a cookie. BR-13.
      if (accept === "bearer" || (accept === "any" && sendsToken(request.headers)))
        return byToken(tokens, request, demand);
      const read = await bySession(core, request, demand, readOptions);
      // Middleware of a router and of a route read the same session: its cookies are sent once.
      const result = sent.has(read.setCookies) ? { ...read, setCookies: [] } : read;
      sent.add(read.setCookies);
      return accept === "any" && !result.ok ? offerTokens(result, tokens, request, demand) : result;
    },
  };
}

const sendsToken = (headers: Headers) => /^(?:bearer|dpop)\b/i.test(headers.get("authorization") ?? "");

async function byToken(tokens: Tokens, request: Incoming, demand: TokenDemand): Promise<Authorized> {
  const checked = await tokens.checkRequest(request, demand);
  if (checked.ok) return { ok: true, auth: authOfToken(checked.token), setCookies: [] };
  const { error, response } = checked;
  return { ok: false, error, respond: async () => response, setCookies: [] };
}

async function bySession(core: Core, request: Incoming, demand: Demand, options: ReadOptions): Promise<Authorized> {
  const result = await core.protect(request, demand, options);
  const { setCookies } = result;
  if (result.ok) {
    const { clientId } = await core.settings();
    return { ok: true, auth: authOfSession(result.session, clientId), setCookies };
  }
  return refused(core, request, result.refusal, setCookies);
}

/** A 401 for a program says that a token would do as well. RFC 9110 §11.6.1. */
function offerTokens(refused: Refused, tokens: Tokens, request: Incoming, demand: TokenDemand): Refused {
  const respond = async () => {
    const response = await refused.respond();
    if (response.status !== 401) return response;
    const bare = { method: request.method, url: request.url, headers: new Headers() };
    const checked = await tokens.checkRequest(bare, demand);
    const challenge = checked.ok ? null : checked.response.headers.get("www-authenticate");
    if (challenge !== null) response.headers.append("www-authenticate", challenge);
    return response;
  };
  return { ...refused, respond };
}

function refused(core: Core, request: Incoming, refusal: Refusal, setCookies: readonly string[]): Authorized {
  return { ok: false, error: errorOf(refusal), respond: () => core.refuse(request, refusal, setCookies), setCookies };
}

function authOfToken({ userId, clientId, scope, environment, acr, authTime }: VerifiedToken): RequestAuth {
  return { via: "token", userId, user: null, clientId, scope, environment, acr, authTime };
}

function authOfSession({ user, scope, environment, acr, authTime }: Session, clientId: string): RequestAuth {
  return { via: "session", userId: user.id, user, clientId, scope, environment, acr, authTime };
}
