"use client";

import type { AppRouter } from "@gatehouse/product/types";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, isTRPCClientError } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";

const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();

export { useTRPC };

/** The session is over: signs in again, and comes back here. */
function signInAgain(error: Error): void {
  if (isTRPCClientError<AppRouter>(error) && error.data?.httpStatus === 401) location.reload();
}

function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: signInAgain }),
    defaultOptions: { mutations: { onError: signInAgain }, queries: { retry: false, staleTime: 10_000 } },
  });
}

/** Calls /trpc with the session of this page. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [trpcClient] = useState(() => createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: "/trpc" })] }));
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
