import type { MiddlewareHandler } from "hono";
import type { AuthDemand } from "../accept.ts";
import { answerHandlers } from "../answer.ts";
import { type Authorizer, createAuthorizer } from "../authorize.ts";
import { NO_STORE } from "../cookies/response.ts";
import type { GatehouseOptions } from "../options.ts";
import type { RequestAuth } from "../request-auth.ts";
import type { VerifyToken } from "../verify-token/verify-token.ts";

/** What `requireAuth` adds to the context: `c.var.auth`. */
export type AuthEnv = { Variables: { auth: RequestAuth } };

/** A Hono product's side of sign-in and access tokens. */
export type HonoGatehouse = {
  /**
   * Mount it first: `app.use(handlers)`. Answers sign-in, callback, sign-out, session and back-channel logout below
   * `/auth`, and the metadata of the API; everything else goes on. PK-46, PK-51.
   */
  handlers: MiddlewareHandler;
  /**
   * Lets a request pass if its caller is all that is required, and sets `c.var.auth`. Accepts access tokens by default,
   * and session cookies with `accept`. PK-53.
   */
  requireAuth(demand?: AuthDemand): MiddlewareHandler<AuthEnv>;
  verifyToken: VerifyToken;
};

/**
 * Sign-in, sessions and access tokens for Hono. Without options it is configured by four variables, which are read at the
 * first request; an API alone has `GATEHOUSE_RESOURCE` in place of `GATEHOUSE_APP_URL`. PK-11, PK-12.
 */
export function gatehouse(options: GatehouseOptions = {}): HonoGatehouse {
  const authorizer = createAuthorizer(options);
  return {
    handlers: async (c, next) => (await answerHandlers(c.req.raw, authorizer)) ?? next(),
    requireAuth: (demand = {}) => guard(authorizer, demand),
    verifyToken: authorizer.tokens.verifyToken,
  };
}

function guard({ authorize }: Authorizer, demand: AuthDemand): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    const result = await authorize(c.req.raw, demand, { canSetCookies: true });
    if (!result.ok) return result.respond();
    c.set("auth", result.auth);
    await next();
    for (const cookie of result.setCookies) c.header("set-cookie", cookie, { append: true });
    if (result.setCookies.length > 0) c.header("cache-control", NO_STORE["cache-control"]); // PK-41
    return undefined;
  };
}
