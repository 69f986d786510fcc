import { TRPCError, type TRPCMiddlewareFunction } from "@trpc/server";
import type { AuthDemand } from "../accept.ts";
import { createAuthorizer } from "../authorize.ts";
import type { GatehouseError, GatehouseErrorCode } from "../error.ts";
import type { GatehouseOptions } from "../options.ts";
import type { RequestAuth } from "../request-auth.ts";
import { SIGNED_OUT } from "./messages.ts";

/**
 * Middleware for `.use()`: procedures behind it have `ctx.auth`. The context needs the `headers` of the request, as
 * `createTRPCContext` of create-t3-app has them.
 */
export type AuthMiddleware = TRPCMiddlewareFunction<
  { headers: Headers },
  unknown,
  object,
  { auth: RequestAuth },
  unknown
>;
/**
 * Requires a signed-in user, or what else is said. Accepts session cookies by default, and access tokens with `accept`.
 * Use it before `.input()`, so that it decides before any input is parsed.
 */
export type Requires = (demand?: AuthDemand) => AuthMiddleware;

/** {@link requires} for an app that passes options to `gatehouse()`: pass the same. */
export function createRequires(options: GatehouseOptions = {}): Requires {
  const { authorize } = createAuthorizer(options);
  return (demand = {}) =>
    async ({ ctx, type, next }) => {
      // A procedure has no method. What changes something must come from a page of this app. PK-54.
      const method = type === "mutation" ? "POST" : "GET";
      const incoming = { method, url: "/trpc", headers: withoutProof(ctx.headers) };
      const result = await authorize(incoming, { accept: "session", ...demand }, { canSetCookies: false });
      if (!result.ok) throw asTrpcError(result.error);
      return next({ ctx: { auth: result.auth } });
    };
}

/**
 * Requires a signed-in user, or what else is said, of the procedures behind it: `t.procedure.use(requires())`. It is
 * configured by the variables of the app. PK-52.
 */
export const requires: Requires = (demand) => {
  fromVariables ??= createRequires();
  return fromVariables(demand);
};
let fromVariables: Requires | undefined;

/** A proof is for a URL, which a procedure does not know: a token that is bound to a key does not count here. */
function withoutProof(sent: Headers): Headers {
  if (!sent.has("dpop")) return sent;
  const headers = new Headers(sent);
  headers.delete("dpop");
  return headers;
}

const CODES: Record<GatehouseErrorCode, TRPCError["code"]> = {
  signed_out: "UNAUTHORIZED",
  invalid_token: "UNAUTHORIZED",
  insufficient_user_authentication: "UNAUTHORIZED",
  insufficient_scope: "FORBIDDEN",
  cross_origin: "FORBIDDEN",
  invalid_request: "BAD_REQUEST",
  unavailable: "SERVICE_UNAVAILABLE",
  server_error: "BAD_GATEWAY",
  configuration: "INTERNAL_SERVER_ERROR",
  session_too_large: "INTERNAL_SERVER_ERROR",
};

function asTrpcError(error: GatehouseError): TRPCError {
  const message = error.code === "signed_out" ? SIGNED_OUT : error.message;
  return new TRPCError({ code: CODES[error.code], message, cause: error });
}
