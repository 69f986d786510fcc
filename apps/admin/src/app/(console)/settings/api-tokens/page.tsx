import type { Metadata } from "next";
import { ApiTokens } from "@/features/settings/api-tokens.tsx";
import { consoleData, HydrateClient, loadOrRedirect, requireRole } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "API tokens · Settings" };

export default async function ApiTokensPage() {
  await requireRole("admin");
  const { trpc, queryClient } = await consoleData();
  await loadOrRedirect(queryClient.fetchQuery(trpc.apiTokens.list.queryOptions()));
  return (
    <HydrateClient>
      <ApiTokens />
    </HydrateClient>
  );
}
