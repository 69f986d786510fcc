import { claimedClientId } from "../clients/credentials.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { refuse } from "../errors/refuse.ts";
import { Form } from "./form.ts";

/** One URL of the protocol. Answers every method, with 405 for those it does not support. Never rejects. */
export type Endpoint = (request: Request, deps: Deps, caller: Caller) => Promise<Response>;

/**
 * CORS headers of responses that pages of any origin may read, including errors. These endpoints ignore cookies, so `*`
 * is safe; credentials are not allowed. BB-02, BB-05, TK-12. Pages and /authorize have none: AZ-28, BB-03.
 */
export const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "WWW-Authenticate, Gatehouse-Error-Id, Retry-After, DPoP-Nonce",
} as const;

/**
 * What preflights allow: every header, since tracing, error reporting and RPC libraries add their own to each request
 * of a page. Nothing here trusts a header because a page could not have sent it. `*` does not cover `authorization`,
 * and old browsers need names. The Fetch Standard §4.9; BB-02.
 */
export const CORS_REQUEST_HEADERS = "authorization, content-type, dpop, mcp-protocol-version, *";

/**
 * The response to a CORS preflight request, which carries no token (BB-07). `methods` as in
 * `Access-Control-Allow-Methods`.
 */
export function preflight(methods: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS,
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": CORS_REQUEST_HEADERS,
      "Access-Control-Max-Age": "86400",
    },
  });
}

/** 405 with `allow` as its `Allow` header. TK-01, NX-02. */
export function methodNotAllowed(request: Request, allow: string): OAuthError {
  const description = `Use ${allow}.`;
  return new OAuthError("invalid_request", "method_not_allowed", `${request.method} is not ${allow}`, {
    description,
    status: 405,
    headers: { Allow: allow },
  });
}

export type FormEndpoint = {
  /** The path, for the failure ledger. */
  path: string;
  /** Every parameter of the endpoint. */
  parameters: readonly string[];
  /** Whether pages of other origins may call it. */
  cors: boolean;
  /** Status of a success; default 200. */
  status?: number;
};

/** A form post and everything needed to answer it. */
export type EndpointContext = { request: Request; form: Form; deps: Deps; caller: Caller };

/**
 * Wraps `answer` as an endpoint that takes form posts: checks the method, reads the body, sends JSON, handles errors.
 * TK-01…TK-10, TK-15.
 */
export function formEndpoint(
  { path, parameters, cors, status = 200 }: FormEndpoint,
  answer: (posted: EndpointContext) => Promise<object>,
): Endpoint {
  const allow = cors ? "POST, OPTIONS" : "POST";
  const extra = cors ? CORS : {};
  const headers = Object.freeze({
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    Pragma: "no-cache",
    ...extra,
  });

  return async (request, deps, caller) => {
    if (cors && request.method === "OPTIONS") return preflight("POST");
    let form: Form | undefined;
    try {
      if (request.method !== "POST") throw methodNotAllowed(request, allow);
      form = await Form.read(request, parameters);
      return new Response(JSON.stringify(await answer({ request, form, deps, caller })), { status, headers });
    } catch (thrown) {
      return refuse(thrown, { endpoint: path, clientId: claimedClientId(request, form) }, deps, caller, extra);
    }
  };
}
