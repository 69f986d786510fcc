"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";

/** Reloads everything about self-registered clients. */
export function useSelfRegisteredChanged(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries(trpc.selfRegistered.pathFilter()),
      queries.invalidateQueries(trpc.clientBlocks.pathFilter()),
      queries.invalidateQueries(trpc.registrationTokens.pathFilter()),
    ]);
}
