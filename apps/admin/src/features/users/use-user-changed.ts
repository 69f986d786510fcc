import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";

/** Invalidates every query that a change of a user may affect. */
export function useUserChanged() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () => Promise.all([queries.invalidateQueries(trpc.users.pathFilter()), queries.invalidateQueries(trpc.sessions.pathFilter())]);
}
