import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientType, Environment } from "@/trpc/types.ts";

/** What is wrong with a redirect URI, asked while the user types; undefined if nothing is, or while it is empty. */
export function useUriVerdict(typed: string, of: { type: ClientType; environment: Environment }): string | undefined {
  const trpc = useTRPC();
  const [uri] = useDebouncedValue(typed.trim(), 350);
  const verdict = useQuery({
    ...trpc.clients.checkRedirectUri.queryOptions({ uri, ...of }),
    enabled: uri !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  return uri === typed.trim() && verdict.data?.ok === false ? verdict.data.message : undefined;
}
