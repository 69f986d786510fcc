"use client";

import type { AppRouter } from "@gatehouse/api/types";
import { notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import { messageOf } from "./errors.ts";
import { createQueryClient } from "./query-client.ts";

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

export { useTRPC, useTRPCClient };

/** The data of the console: our own /api/trpc, which adds the token that this page never sees. */
export function DataProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() =>
    createQueryClient({
      onSignedOut: () => window.location.reload(), // the server then asks for a sign-in and comes back here
      onRefusedChange: (error) => notifications.show({ color: "red", title: "Not done", message: messageOf(error) }),
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
