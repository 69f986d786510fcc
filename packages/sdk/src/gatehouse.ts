import type { ApiDemand, AuthBy, AuthDemand, SessionDemand } from "./accept.ts";
import { answerHandlers } from "./answer.ts";
import { type Authorizer, createAuthorizer } from "./authorize.ts";
import { NO_STORE, withCookies } from "./cookies/response.ts";
import type { Core } from "./core.ts";
import type { SignInOptions } from "./handlers/demand.ts";
import type { GatehouseOptions } from "./options.ts";
import { protectRequest } from "./protect.ts";
import { errorOf } from "./refusal/json.ts";
import type { RequestAuth } from "./request-auth.ts";
import type { Auth, Session } from "./session/session.ts";
import type { VerifyToken } from "./verify-token/verify-token.ts";

/** A request that may pass, with its caller; otherwise the response to send instead. */
export type Passed<Caller = { session: Session }> = ({ ok: true } & Caller) | { ok: false; response: Response };

/** Who sent a request. */
export type ReadAuth = {
  /** The session of a request, or `{ user: null }`. Where the server cannot be reached, see `protect`. */
  (request: Request): Promise<Auth>;
  /** The session, if it is all that is required; otherwise the response that the failure table has. PK-38. */
  protect(request: Request, demand?: SessionDemand): Promise<Passed>;
  /**
   * With `accept: "bearer"`, a valid access token in the `Authorization` header; with `"any"`, a token from a request that
   * has this header, and a session from one that has not. `auth.via` says which it was. PK-38.
   */
  protect<A extends keyof AuthBy>(request: Request, demand: ApiDemand<A>): Promise<Passed<{ auth: AuthBy[A] }>>;
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
   * The access token of the request's session, for calling an API. With `live`, the server is asked first, and the token
   * renewed if it is not active: for an API that has just rejected it.
   *
   * @throws GatehouseError `signed_out`, `cross_origin` or `unavailable`.
   */
  getAccessToken(request: Request, options?: TokenOptions): Promise<string>;
  /**
   * The path, with the base path, that signs the user in and returns to `returnTo`: redirect to it. What it demands is
   * sealed into it for half an hour, so that no link can ask for less. PK-46.
   */
  signInPath(options: SignInOptions): Promise<string>;
};

/** How an access token is read. */
export type TokenOptions = { live?: boolean | undefined };

/**
 * Sign-in, sessions and route protection for an app on `Request` and `Response`. Without options it is configured by
 * four variables, which are read at the first request. PK-12.
 */
export function gatehouse(options: GatehouseOptions = {}): Gatehouse {
  const authorizer = createAuthorizer(options);
  return {
    auth: createAuth(authorizer),
    handlers: (request) => answer(request, authorizer),
    verifyToken: authorizer.tokens.verifyToken,
    getAccessToken: tokenReader(authorizer.core),
    signInPath: authorizer.core.signInPath,
  };
}

const OPTIONS = { canSetCookies: true } as const;

function createAuth(authorizer: Authorizer): ReadAuth {
  const { core, roles } = authorizer;
  const auth = async (request: Request): Promise<Auth> => {
    const reading = await core.read(request, OPTIONS);
    return reading.kind === "signed_in" ? reading.session : { user: null };
  };
  function protect(request: Request, demand?: SessionDemand): Promise<Passed>;
  function protect<A extends keyof AuthBy>(
    request: Request,
    demand: ApiDemand<A>,
  ): Promise<Passed<{ auth: AuthBy[A] }>>;
  async function protect(request: Request, demand: AuthDemand = {}): Promise<Passed | Passed<{ auth: RequestAuth }>> {
    const result = await protectRequest(authorizer, request, demand);
    return result.ok ? { ok: true, ...result.caller } : result;
  }
  // An API that signs nobody in has no sessions to read.
  const respond: ReadAuth["respond"] = async (request, response) =>
    roles().signsIn ? withCookies(response, (await core.read(request, OPTIONS)).setCookies) : response;
  return Object.assign(auth, { protect, respond });
}

async function answer(request: Request, parts: Parameters<typeof answerHandlers>[1]): Promise<Response> {
  const response = await answerHandlers(request, parts);
  return response ?? Response.json({ error: "not_found" }, { status: 404, headers: NO_STORE });
}

function tokenReader(core: Core): Gatehouse["getAccessToken"] {
  return async (request, { live } = {}) => {
    const reading = await core.read(request, { ...OPTIONS, live });
    if (reading.kind === "signed_in") return reading.accessToken;
    if (reading.kind === "unavailable") {
      const { retryAfterSeconds } = reading;
      throw errorOf({ reason: "unavailable", retryAfterSeconds });
    }
    throw errorOf({ reason: reading.kind });
  };
}
