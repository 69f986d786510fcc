import { type Caller, findStoreUnavailable, OAuthError, readText, resourceMetadataUrl } from "@gatehouse/auth";
import { type AnyTRPCRouter, TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { insufficientAuthentication } from "./challenge.ts";
import { createContext } from "./context.ts";
import { corsHeaders, preflight } from "./cors.ts";
import type { OperationDeps } from "./deps.ts";
import { asUnavailable, missingScopeOf, requiredLevelOf, requiredSignInAgeOf } from "./errors.ts";

/** Room for the largest input, a client with 200 URIs of 2,048 characters (RU-12). tRPC itself sets no limit. */
const MAX_BODY_BYTES = 512 * 1024;

/** One procedure call, or a batch of at most this many. */
const MAX_BATCH = 20;

/** Serves one request. `onInternalError` receives failures of the server, which the caller does not see. */
export type TrpcHandler = (
  request: Request,
  deps: OperationDeps,
  caller: Caller,
  onInternalError?: (error: unknown) => void,
) => Promise<Response>;

/**
 * Serves a router's procedures under /trpc, as a plain `Request` → `Response`. Answers are personal and never cached; a
 * 401 says how to authenticate (RFC 9110 §11.6.1), a 403 for a missing scope names it. Pages of other origins may read
 * answers where {@link corsHeaders} says so.
 */
export function createTrpcHandler(router: AnyTRPCRouter): TrpcHandler {
  return async (request, deps, caller, onInternalError) => {
    const origin = request.headers.get("origin");
    const foreign = origin !== null && origin !== new URL(deps.config.issuer).origin;
    const cors = foreign ? await corsHeaders(origin, deps) : undefined;
    if (request.method === "OPTIONS") return preflight(cors);
    const response = bodyProblem(request.headers) ?? (await answer(request, deps, caller, onInternalError));
    for (const [name, value] of Object.entries(cors ?? {})) response.headers.set(name, value);
    return response;
  };

  function answer(...[request, deps, caller, onInternalError]: Parameters<TrpcHandler>): Promise<Response> {
    return fetchRequestHandler({
      endpoint: "/trpc",
      req: withBoundedBody(request),
      router,
      maxBatchSize: MAX_BATCH,
      createContext: () =>
        createContext({ request, deps, caller, alsoAccepts: ["session", "api_token"] }).catch((thrown: unknown) => {
          throw asUnavailable(thrown);
        }),
      responseMeta({ ctx, errors }) {
        const headers = new Headers({ "Cache-Control": "no-store", Vary: "Authorization, Cookie, Origin" });
        if (ctx && errors.some(({ code }) => code === "UNAUTHORIZED")) headers.set("WWW-Authenticate", ctx.challenge);
        const missing = errors.map(missingScopeOf).find((scope) => scope !== undefined);
        if (missing) headers.set("WWW-Authenticate", insufficientScope(missing, deps.config));
        const maxAge = errors.map(requiredSignInAgeOf).find((seconds) => seconds !== undefined);
        if (maxAge !== undefined)
          headers.set("WWW-Authenticate", insufficientAuthentication({ maxAgeSeconds: maxAge }, deps.config));
        const level = errors.map(requiredLevelOf).find((acr) => acr !== undefined);
        if (level !== undefined)
          headers.set("WWW-Authenticate", insufficientAuthentication({ acr: level }, deps.config));
        const outage = errors.map(findStoreUnavailable).find((found) => found !== undefined);
        if (outage) headers.set("Retry-After", String(outage.retryAfterSeconds));
        if (ctx?.request.requestId) headers.set("X-Request-Id", ctx.request.requestId);
        if (ctx?.dpopNonce) headers.set("DPoP-Nonce", ctx.dpopNonce);
        return { headers };
      },
      onError({ error }) {
        if (error.code === "INTERNAL_SERVER_ERROR" || error.code === "SERVICE_UNAVAILABLE")
          onInternalError?.(error.cause ?? error);
      },
    });
  }
}

/** RFC 6750 §3.1: names the scope that the client has to request. */
function insufficientScope(scope: string, config: OperationDeps["config"]): string {
  return `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${resourceMetadataUrl(config)}"`;
}

/** The part of a request that tRPC reads, with its body limited in size and time. */
function withBoundedBody(request: Request): Request {
  const { method, url, headers } = request;
  const bounded = {
    method,
    url,
    headers,
    get signal() {
      return request.signal;
    },
    json: async () => JSON.parse(await readText(request, MAX_BODY_BYTES).catch(unreadable)),
  };
  return bounded as Request;
}

function unreadable(cause: unknown): never {
  if (!(cause instanceof OAuthError)) throw cause;
  const code = cause.status === 408 ? "TIMEOUT" : cause.status === 413 ? "PAYLOAD_TOO_LARGE" : "BAD_REQUEST";
  throw new TRPCError({ code, message: cause.message });
}

/**
 * Rejects a body by its headers, before reading it; a body without a length might never end. RFC 9110 §15.5.12,
 * §15.5.14.
 */
function bodyProblem(headers: Headers): Response | undefined {
  if (/^(multipart\/form-data|application\/octet-stream)/i.test(headers.get("content-type") ?? "")) {
    return refuse(415, "UNSUPPORTED_MEDIA_TYPE", "Send the input as JSON.");
  }
  if (headers.has("transfer-encoding"))
    return refuse(411, "LENGTH_REQUIRED", "Send the request with a Content-Length.");
  if (Number(headers.get("content-length") ?? 0) <= MAX_BODY_BYTES) return undefined;
  return refuse(413, "PAYLOAD_TOO_LARGE", `The input is larger than ${MAX_BODY_BYTES / 1024} KiB.`);
}

/** 503 in tRPC's format, for a call that the server has no time for. Clients take it for each call of a batch. OP-31 */
export function overloaded(message: string): Response {
  return refuse(503, "SERVICE_UNAVAILABLE", message, TRPC_ERROR_CODES_BY_KEY.SERVICE_UNAVAILABLE);
}

/** An error response in tRPC's format. */
function refuse(
  httpStatus: number,
  code: string,
  message: string,
  number: number = TRPC_ERROR_CODES_BY_KEY.BAD_REQUEST,
): Response {
  const error = { message, code: number, data: { code, httpStatus, problems: [] } };
  return new Response(JSON.stringify({ error }), {
    status: httpStatus,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
  });
}
