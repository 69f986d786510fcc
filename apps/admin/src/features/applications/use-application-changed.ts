"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";

/** To be awaited after any change to an application or its clients: fetches what is on the screen anew. */
export function useApplicationChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries(trpc.applications.pathFilter()),
      queries.invalidateQueries(trpc.clients.comparePromotion.pathFilter()),
    ]);
  };
}
