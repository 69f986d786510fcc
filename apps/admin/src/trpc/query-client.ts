import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { needsFreshSignIn, needsSignIn, statusOf } from "./errors.ts";

type Handlers = {
  /** The session has ended, or lacks a scope. */
  onSignInNeeded: () => void;
  /** The sign-in is too long ago for this mutation. */
  onFreshSignInNeeded: () => void;
  /** A mutation failed and its form does not show the error itself. */
  onMutationError: (error: Error) => void;
};

/** Created once per browser tab, and once per page rendered on the server. */
export function createQueryClient(handlers?: Handlers): QueryClient {
  const handleSignInNeeded = (error: Error) => {
    if (needsSignIn(error)) handlers?.onSignInNeeded();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: handleSignInNeeded }),
    mutationCache: new MutationCache({
      onError(error, _variables, _context, mutation) {
        if (needsFreshSignIn(error)) return handlers?.onFreshSignInNeeded();
        handleSignInNeeded(error);
        if (mutation.meta?.["errorShownInForm"] !== true && !needsSignIn(error)) handlers?.onMutationError(error);
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
