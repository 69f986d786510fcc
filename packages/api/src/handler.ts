import type { Caller } from "@gatehouse/auth";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { createContext } from "./context.ts";
import type { ApiDeps } from "./deps.ts";
import { appRouter } from "./root.ts";

/** One procedure call, or a batch of at most this many. */
const MAX_BATCH = 20;

/**
 * Everything under /trpc, as a plain `Request` → `Response`. Answers are personal and never cached; a 401 says how to
 * authenticate (RFC 9110 §11.6.1). `onInternalError` is told of failures that are ours; the caller is not.
 */
export async function trpc(request: Request, deps: ApiDeps, caller: Caller, onInternalError?: (error: unknown) => void): Promise<Response> {
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
