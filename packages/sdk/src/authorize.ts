import { type AuthDemand, acceptOf, judgedByToken } from "./accept.ts";
import { type Core, createCore, type Incoming } from "./core.ts";
import type { GatehouseError } from "./error.ts";
import type { GatehouseOptions } from "./options.ts";
import { errorOf } from "./refusal/json.ts";
import type { Demand, Refusal } from "./refusal/refusal.ts";
import { authOfSession, authOfToken, type RequestAuth } from "./request-auth.ts";
import type { ReadOptions } from "./session/reading.ts";
import { type Roles, rolesOf } from "./settings.ts";
import type { TokenDemand } from "./verify-token/token.ts";
import { createTokens, type Tokens } from "./verify-token/verify-token.ts";

/** The caller of a request that may pass, or how to refuse it. `setCookies` belong to the response either way. */
export type Authorized = { ok: true; auth: RequestAuth; setCookies: readonly string[] } | Refused;

type Refused = { ok: false; error: GatehouseError; respond(): Promise<Response>; setCookies: readonly string[] };

/** What every adapter is built on: sessions and access tokens of one product. */
export type Authorizer = {
  core: Core;
  tokens: Tokens;
  roles(): Roles;
  authorize(request: Incoming, demand: AuthDemand, options: ReadOptions): Promise<Authorized>;
};

/** Nothing is read or asked before the first call. PK-12. */
export function createAuthorizer(options: GatehouseOptions, core = createCore(options)): Authorizer {
  const tokens = createTokens(options);
  const sent = new WeakSet<readonly string[]>();
  return {
    core,
    tokens,
    roles: () => rolesOf(options),
    async authorize(request, { accept: accepted, ...demand }, readOptions) {
      const accept = acceptOf({ accept: accepted }, "bearer");
      if (judgedByToken(request, accept)) return byToken(tokens, request, demand);
      const read = await bySession(core, request, demand, readOptions);
      // Middleware of a router and of a route read the same session: its cookies are sent once.
      const result = sent.has(read.setCookies) ? { ...read, setCookies: [] } : read;
      sent.add(read.setCookies);
      return accept === "any" && !result.ok ? offerTokens(result, tokens, request, demand) : result;
    },
  };
}

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
