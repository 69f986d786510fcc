import { answerHandlers } from "./answer.ts";
import { NO_STORE, withCookies } from "./cookies/response.ts";
import { type Core, createCore } from "./core.ts";
import type { GatehouseOptions } from "./options.ts";
import { errorOf } from "./refusal/json.ts";
import type { Demand } from "./refusal/refusal.ts";
import type { Auth, Session } from "./session/session.ts";
import { rolesOf } from "./settings.ts";
import { createTokens, type VerifyToken } from "./verify-token/verify-token.ts";

/** A request that may pass, with its session; otherwise the response to send instead. */
export type Passed = { ok: true; session: Session } | { ok: false; response: Response };

/** Who sent a request. */
export type ReadAuth = {
  /** The session of a request, or `{ user: null }`. Where the server cannot be reached, see `protect`.. */
  (request: Request): Promise<Auth>;
  /** The session, if it is all that is required; otherwise the response that the failure table has. PK-38. */
  protect(request: Request, demand?: Demand): Promise<Passed>;
  /**
   * The response with the cookies that reading this request's session made, such as renewed tokens. Send every response
   * through it, once, or renewed tokens are lost.
   */
  respond(request: Request, response: Response): Promise<Response>;
};

/** A product's side of sign-in, on `Request` and `Response`. */
export type Gatehouse = {
  auth: ReadAuth;
  /** Checks an access token for this API, whose identifier is the option `resource` or its variable. PK-48. */
  verifyToken: VerifyToken;
  /**
   * Answers requests below `path`, such as `/auth/sign-in`, and for the metadata of the API; 404 for anything else.
   * PK-46, PK-51.
   */
  handlers: (request: Request) => Promise<Response>;
  /**
   * The access token of the request's session, for calling an API.
   *
   * @throws GatehouseError `signed_out` or `unavailable`.
   */
  getAccessToken(request: Request): Promise<string>;
};

/**
 * Sign-in, sessions and route protection for an app on `Request` and `Response`. Without options it is configured by
 * four variables, which are read at the first request. PK-12.
 */
export function gatehouse(options: GatehouseOptions = {}): Gatehouse {
  const core = createCore(options);
  const tokens = createTokens(options);
  return {
    auth: createAuth(core),
    handlers: (request) => answer(request, { core, tokens, roles: () => rolesOf(options) }),
    verifyToken: tokens.verifyToken,
    getAccessToken: tokenReader(core),
  };
}

const OPTIONS = { canSetCookies: true } as const;

function createAuth(core: Core): ReadAuth {
  const auth = async (request: Request): Promise<Auth> => {
    const reading = await core.read(request, OPTIONS);
    return reading.kind === "signed_in" ? reading.session : { user: null };
  };
  const protect: ReadAuth["protect"] = async (request, demand = {}) => {
    const result = await core.protect(request, demand, OPTIONS);
    if (result.ok) return { ok: true, session: result.session };
    return { ok: false, response: await core.refuse(request, result.refusal, result.setCookies) };
  };
  const respond: ReadAuth["respond"] = async (request, response) =>
    withCookies(response, (await core.read(request, OPTIONS)).setCookies);
  return Object.assign(auth, { protect, respond });
}

async function answer(request: Request, parts: Parameters<typeof answerHandlers>[1]): Promise<Response> {
  const response = await answerHandlers(request, parts);
  return response ?? Response.json({ error: "not_found" }, { status: 404, headers: NO_STORE });
}

function tokenReader(core: Core): Gatehouse["getAccessToken"] {
  return async (request) => {
    const reading = await core.read(request, OPTIONS);
    if (reading.kind === "signed_in") return reading.accessToken;
    if (reading.kind === "unavailable") {
      const { retryAfterSeconds } = reading;
      throw errorOf({ reason: "unavailable", retryAfterSeconds });
    }
    throw errorOf({ reason: reading.kind });
  };
}
