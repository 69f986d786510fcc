import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientType, Environment, UriVerdict } from "@/trpc/types.ts";

/**
 * Whether a redirect URI can be registered, asked while the user types; undefined until it is known, and while it is
 * empty.
 */
export function useUriVerdict(
  typed: string,
  of: { type: ClientType; environment: Environment },
): UriVerdict | undefined {
  const trpc = useTRPC();
  const [uri] = useDebouncedValue(typed.trim(), 350);
  const verdict = useQuery({
    ...trpc.clients.checkRedirectUri.queryOptions({ uri, ...of }),
    enabled: uri !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  return uri !== "" && uri === typed.trim() ? verdict.data : undefined;
}
