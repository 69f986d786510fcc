import type { AppRouter } from "@gatehouse/product/types";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, isTRPCClientError } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import type { ReactNode } from "react";
import { accessToken, renew } from "./session.ts";

const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();

export { useTRPC };

/** Sends a request with the access token. One that is refused is renewed, and the request is sent once more. */
async function authorizedFetch(url: RequestInfo | URL | string, init: RequestInit = {}): Promise<Response> {
  const send = (token: string) =>
    fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
  const response = await send((await accessToken()) ?? "");
  if (response.status !== 401) return response;
  const renewed = await renew();
  return renewed === undefined ? response : send(renewed);
}

const trpcClient = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: `${import.meta.env.ISSUER}/trpc`,
      fetch: (url, init) => authorizedFetch(url, init as RequestInit),
    }),
  ],
});

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // An answer that refuses stays the same; only a request without an answer is worth another try.
      retry: (failures, error) => failures < 2 && !(isTRPCClientError<AppRouter>(error) && error.data),
    },
  },
});

export function ApiProvider({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

/** A failed call. `data` is there when Gatehouse answered; `missingScope` is the scope that the access token lacks. */
export type ApiError = { message: string; data?: { missingScope?: string | undefined } | null | undefined };

export function messageOf({ data, message }: ApiError): string {
  return data ? message : "Gatehouse did not answer. Check that it is running, then try again.";
}
