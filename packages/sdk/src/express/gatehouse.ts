import type { Request, RequestHandler, Response } from "express";
import type { AuthDemand } from "../accept.ts";
import { answerHandlers } from "../answer.ts";
import { type Authorized, createAuthorizer } from "../authorize.ts";
import type { GatehouseOptions } from "../options.ts";
import type { RequestAuth } from "../request-auth.ts";
import type { VerifyToken } from "../verify-token/verify-token.ts";
import { incomingOf, isWebMethod, toWebRequest } from "./request.ts";
import { sendWebResponse, setCookiesOn } from "./response.ts";

declare global {
  namespace Express {
    interface Request {
      /** Who sent the request; set by `requireAuth`, so it is there behind it. */
      auth?: RequestAuth;
    }
  }
}

/** An Express product's side of sign-in and access tokens. */
export type ExpressGatehouse = {
  /**
   * Mount it first: `app.use(handlers)`. Answers sign-in, callback, sign-out, session and back-channel logout below
   * `/auth`, and the metadata of the API; everything else goes on. PK-46, PK-51.
   */
  handlers: RequestHandler;
  /**
   * Lets a request pass if its caller is all that is required, and sets `req.auth`. Accepts access tokens by default,
   * and session cookies with `accept`. PK-53.
   */
  requireAuth(demand?: AuthDemand): RequestHandler;
  verifyToken: VerifyToken;
};

/**
 * Sign-in, sessions and access tokens for Express. Without options it is configured by four variables, which are read at
 * the first request; an API alone has `GATEHOUSE_RESOURCE` in place of `GATEHOUSE_APP_URL`. PK-11, PK-12.
 */
export function gatehouse(options: GatehouseOptions = {}): ExpressGatehouse {
  const authorizer = createAuthorizer(options);

  const answer = async (req: Request, res: Response): Promise<boolean> => {
    if (!isWebMethod(req.method)) return false;
    const response = await answerHandlers(await toWebRequest(req), authorizer);
    if (response) await sendWebResponse(response, res);
    return response !== undefined;
  };
  const check = async (req: Request, res: Response, demand: AuthDemand): Promise<boolean> => {
    const result: Authorized = await authorizer.authorize(incomingOf(req), demand, { canSetCookies: true });
    if (!result.ok) {
      await sendWebResponse(await result.respond(), res);
      return false;
    }
    setCookiesOn(res, result.setCookies);
    req.auth = result.auth;
    return true;
  };
  // Express 4 does not wait for promises, so that errors are passed on by hand. PK-53.
  return {
    handlers: (req, res, next) => {
      answer(req, res).then((isAnswered) => isAnswered || next(), next);
    },
    requireAuth:
      (demand = {}) =>
      (req, res, next) => {
        check(req, res, demand).then((mayPass) => mayPass && next(), next);
      },
    verifyToken: authorizer.tokens.verifyToken,
  };
}
