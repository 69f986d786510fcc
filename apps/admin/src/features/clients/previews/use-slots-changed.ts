"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";

/** Returns a function that refetches the slots of a client. Await it. */
export function useSlotsChanged(clientId: string): () => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () => queries.invalidateQueries(trpc.previews.list.queryFilter({ clientId }));
}
