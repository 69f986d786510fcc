"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";

/** Returns a function that reloads everything about sign-in providers. */
export function useProvidersChanged(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () => queries.invalidateQueries(trpc.signInProviders.pathFilter());
}
