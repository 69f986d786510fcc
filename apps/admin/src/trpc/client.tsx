"use client";

import type { AppRouter } from "@gatehouse/console/types";
import { QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import { reloadForOtherUser } from "@/components/session/other-user.ts";
import { toastFailed } from "@/components/toasts.tsx";
import { createQueryClient } from "./query-client.ts";
import { sessionLink } from "./session-link.ts";

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

export { useTRPC, useTRPCClient };

type Props = {
  /** The signed-in user. The server refuses requests of this page once another one has signed in. CO-87. */
  userId: string;
  children: ReactNode;
};

/**
 * Provides tRPC and React Query. Requests go to the console's own /api/trpc, which adds the access token: the page
 * never sees it.
 */
export function DataProvider({ userId, children }: Props) {
  const [queryClient] = useState(() => createQueryClient({ onMutationError: toastFailed }));
  const [trpcClient] = useState(() => {
    const batchLink = httpBatchLink({ url: "/api/trpc", maxURLLength: 2000, headers: { "gatehouse-user": userId } });
    return createTRPCClient<AppRouter>({ links: [sessionLink(reloadForOtherUser), batchLink] });
  });
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
