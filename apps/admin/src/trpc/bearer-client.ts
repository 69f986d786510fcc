import type { AppRouter } from "@gatehouse/console/types";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { env } from "@/env.ts";

/** A tRPC client of the server's /trpc with a user's access token. For the console's server, never for the browser. */
export function bearerClient(accessToken: string) {
  return createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: `${env().issuer}/trpc`,
        headers: { authorization: `Bearer ${accessToken}` },
        fetch: (url, options) => fetch(url, { ...(options as RequestInit), cache: "no-store" }),
      }),
    ],
  });
}
