import { claimedClientId } from "../clients/credentials.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { refuse } from "../errors/refuse.ts";
import { Form } from "./form.ts";

/** One URL of the protocol: answers every method, also the ones it refuses. */
export type Endpoint = (request: Request, deps: Deps, caller: Caller) => Promise<Response>;

/**
 * For what any web page may call, errors included. Nothing behind it looks at cookies, so `*` gives nothing away,
 * and credentials are never allowed. BB-02, BB-05.
 */
export const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "WWW-Authenticate, Gatehouse-Error-Id, Retry-After, DPoP-Nonce",
} as const;

/** The answer to a browser that asks first. `methods` as in `Access-Control-Allow-Methods`. */
export function preflight(methods: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS,
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": "authorization, content-type, dpop, mcp-protocol-version",
      "Access-Control-Max-Age": "86400",
    },
  });
}

/** 405 with `Allow`. TK-01, NX-02. */
export function methodNotAllowed(request: Request, allow: string): OAuthError {
  const description = `Use ${allow}.`;
  return new OAuthError("invalid_request", "method_not_allowed", `${request.method} is not ${allow}`, {
    description,
    status: 405,
    headers: { Allow: allow },
  });
}

export type FormEndpoint = {
  /** As the failure ledger names it. */
  path: string;
  /** Every parameter the endpoint knows. */
  parameters: readonly string[];
  /** May web pages of other origins call it? */
  cors: boolean;
  /** Of a success; 200 by default. */
  status?: number;
};

/** A form post as an endpoint's steps see it. */
export type EndpointContext = { request: Request; form: Form; deps: Deps; caller: Caller };

/** Frames the steps of a form-post endpoint: method, preflight, body, JSON out, and the one exit for refusals. TK-01…TK-10. */
export function formEndpoint(
  { path, parameters, cors, status = 200 }: FormEndpoint,
  answer: (posted: EndpointContext) => Promise<object>,
): Endpoint {
  const allow = cors ? "POST, OPTIONS" : "POST";
  const extra = cors ? CORS : {};
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store", Pragma: "no-cache", ...extra };

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
