import type { Caller } from "@gatehouse/auth";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { createContext } from "./context.ts";
import type { ApiDeps } from "./deps.ts";
import { appRouter } from "./root.ts";

/** Far larger than any input here; the adapter would read a body of whatever size. */
const MAX_BODY_BYTES = 256 * 1024;

/** One procedure call, or a batch of at most this many. */
const MAX_BATCH = 20;

/**
 * Everything under /trpc, as a plain `Request` → `Response`. Answers are personal and never cached; a 401 says how to
 * authenticate (RFC 9110 §11.6.1). `onInternalError` is told of failures that are ours; the caller is not.
 */
export async function trpc(request: Request, deps: ApiDeps, caller: Caller, onInternalError?: (error: unknown) => void): Promise<Response> {
  const problem = bodyProblem(request.headers);
  if (problem) return problem;
  return fetchRequestHandler({
    endpoint: "/trpc",
    req: request,
    router: appRouter,
    maxBatchSize: MAX_BATCH,
    createContext: () => createContext({ request, deps, caller }),
    responseMeta({ ctx, errors }) {
      const headers = new Headers({ "Cache-Control": "no-store", Vary: "Authorization, Cookie" });
      if (ctx && errors.some(({ code }) => code === "UNAUTHORIZED")) headers.set("WWW-Authenticate", ctx.challenge);
      if (ctx?.dpopNonce) headers.set("DPoP-Nonce", ctx.dpopNonce);
      return { headers };
    },
    onError({ error }) {
      if (error.code === "INTERNAL_SERVER_ERROR") onInternalError?.(error.cause ?? error);
    },
  });
}

/** Judged by what is announced, before anything is read: a body without a length could go on for ever. RFC 9110 §15.5.12, §15.5.14. */
function bodyProblem(headers: Headers): Response | undefined {
  if (headers.has("transfer-encoding")) return refuse(411, "LENGTH_REQUIRED", "Send the request with a Content-Length.");
  if (Number(headers.get("content-length") ?? 0) <= MAX_BODY_BYTES) return undefined;
  return refuse(413, "PAYLOAD_TOO_LARGE", `The input is larger than ${MAX_BODY_BYTES / 1024} KiB.`);
}

/** In the shape of tRPC's own errors. */
function refuse(httpStatus: number, code: string, message: string): Response {
  const error = { message, code: TRPC_ERROR_CODES_BY_KEY.BAD_REQUEST, data: { code, httpStatus, problems: [] } };
  return new Response(JSON.stringify({ error }), {
    status: httpStatus,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
  });
}
