"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";

/** Returns a function that reloads everything about endpoints and their secrets. */
export function useWebhooksChanged(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries(trpc.webhookEndpoints.pathFilter()),
      queries.invalidateQueries(trpc.webhookSecrets.pathFilter()),
    ]);
}
