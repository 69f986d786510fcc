import { MutationCache, QueryClient } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { statusOf } from "./errors.ts";

type Handlers = {
  /** A mutation failed and its form does not show the error itself. */
  onMutationError: (error: Error) => void;
};

/** Created once per browser tab, and once per page rendered on the server. */
export function createQueryClient(handlers?: Handlers): QueryClient {
  return new QueryClient({
    mutationCache: new MutationCache({
      onError(error, _variables, _context, mutation) {
        if (mutation.meta?.["errorShownInForm"] !== true) handlers?.onMutationError(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Retry server errors and lost connections, in the browser only. A 4xx would fail again.
        retry: (failures, error) =>
          handlers !== undefined &&
          failures < 2 &&
          !(error instanceof TRPCClientError && (statusOf(error) ?? 502) < 500),
      },
      // Without a connection a change fails at once and its form keeps the input. It is never sent later by itself.
      // CO-87.
      mutations: { networkMode: "always" },
    },
  });
}
