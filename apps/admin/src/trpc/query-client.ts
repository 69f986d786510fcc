import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { statusOf } from "./errors.ts";

type Reactions = {
  /** The sign-in is over. */
  onSignedOut: () => void;
  /** A change was refused and its form does not say so itself. */
  onRefusedChange: (error: Error) => void;
};

/** One per browser, and one per page that is rendered on the server. */
export function createQueryClient(reactions?: Reactions): QueryClient {
  const watch = (error: Error) => {
    if (statusOf(error) === 401) reactions?.onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({
      onError(error, _variables, _context, mutation) {
        watch(error);
        if (mutation.meta?.["shown"] !== "in form" && statusOf(error) !== 401) reactions?.onRefusedChange(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // A refusal stays a refusal; only what never got an answer is worth asking again, and that by the browser.
        retry: (failures, error) =>
          reactions !== undefined && failures < 2 && !(error instanceof TRPCClientError && (statusOf(error) ?? 502) < 500),
      },
    },
  });
}
