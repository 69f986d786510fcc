import type { Metadata } from "next";
import { GeneralSettings } from "@/features/settings/general.tsx";
import { consoleData, HydrateClient, loadOrRedirect, requireRole } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "General · Settings" };

export default async function GeneralPage() {
  await requireRole("admin");
  const { trpc, queryClient } = await consoleData();
  await loadOrRedirect(queryClient.fetchQuery(trpc.settings.list.queryOptions()));
  return (
    <HydrateClient>
      <GeneralSettings />
    </HydrateClient>
  );
}
