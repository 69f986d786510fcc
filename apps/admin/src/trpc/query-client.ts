import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { statusOf } from "./errors.ts";

type Handlers = {
  /** The session has ended. */
  onSignedOut: () => void;
  /** A mutation failed and its form does not show the error itself. */
  onMutationError: (error: Error) => void;
};

/** Created once per browser tab, and once per page rendered on the server. */
export function createQueryClient(handlers?: Handlers): QueryClient {
  const handleSignedOut = (error: Error) => {
    if (statusOf(error) === 401) handlers?.onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: handleSignedOut }),
    mutationCache: new MutationCache({
      onError(error, _variables, _context, mutation) {
        handleSignedOut(error);
        if (mutation.meta?.["errorShownInForm"] !== true && statusOf(error) !== 401) handlers?.onMutationError(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Retry server errors and lost connections, in the browser only. A 4xx would fail again.
        retry: (failures, error) =>
          handlers !== undefined && failures < 2 && !(error instanceof TRPCClientError && (statusOf(error) ?? 502) < 500),
      },
    },
  });
}
