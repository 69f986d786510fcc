import type { Metadata } from "next";
import { RetentionSettings } from "@/features/settings/retention.tsx";
import { consoleData, HydrateClient, loadOrRedirect, requireRole } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Retention · Settings" };

export default async function RetentionPage() {
  await requireRole("admin");
  const { trpc, queryClient } = await consoleData();
  await loadOrRedirect(queryClient.fetchQuery(trpc.settings.list.queryOptions()));
  return (
    <HydrateClient>
      <RetentionSettings />
    </HydrateClient>
  );
}
