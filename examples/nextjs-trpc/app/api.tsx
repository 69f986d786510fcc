"use client";

import { sessionLink } from "@gatehouse/sdk/trpc/client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import type { AppRouter } from "../server/router";

const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();

export { useTRPC };

/** The session cookie goes with each call. `sessionLink` repeats a call that only an old cookie had refused. */
const createClient = () => createTRPCClient<AppRouter>({ links: [sessionLink(), httpBatchLink({ url: "/api/trpc" })] });

export function ApiProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  const [trpcClient] = useState(createClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
