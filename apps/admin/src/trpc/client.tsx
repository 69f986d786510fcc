"use client";

import type { AppRouter } from "@gatehouse/api/types";
import { notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import { confirmIdentity } from "@/components/confirm-identity.tsx";
import { signInUrl } from "@/components/sign-in-url.ts";
import { messageOf } from "./errors.ts";
import { createQueryClient } from "./query-client.ts";

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

export { useTRPC, useTRPCClient };

/** Provides tRPC and React Query. Requests go to the console's own /api/trpc, which adds the access token: the page never sees it. */
export function DataProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() =>
    createQueryClient({
      onSignInNeeded: () => window.location.assign(signInUrl()),
      onFreshSignInNeeded: confirmIdentity,
      onMutationError: (error) => notifications.show({ color: "red", title: "Change failed", message: messageOf(error) }),
    }),
  );
  const [trpcClient] = useState(() => createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: "/api/trpc", maxURLLength: 2000 })] }));
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
