"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";

/** Returns a function that refetches what is on screen after a change to an application or its clients. Await it. */
export function useApplicationChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries(trpc.applications.pathFilter()),
      queries.invalidateQueries(trpc.clients.comparePromotion.pathFilter()),
      queries.invalidateQueries(trpc.clients.secrets.pathFilter()),
    ]);
  };
}
