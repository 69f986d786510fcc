import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";

/** Returns a function that invalidates every query a change to a user can affect. */
export function useUserChanged() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries(trpc.users.pathFilter()),
      queries.invalidateQueries(trpc.sessions.pathFilter()),
    ]);
}
