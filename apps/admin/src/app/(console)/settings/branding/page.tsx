import type { Metadata } from "next";
import { BrandingSettings } from "@/features/settings/branding.tsx";
import { consoleData, HydrateClient, loadOrRedirect, requireRole } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Branding · Settings" };

export default async function BrandingPage() {
  await requireRole("admin");
  const { trpc, queryClient } = await consoleData();
  await Promise.all([
    loadOrRedirect(queryClient.fetchQuery(trpc.settings.list.queryOptions())),
    loadOrRedirect(queryClient.fetchQuery(trpc.settings.logo.queryOptions())),
  ]);
  return (
    <HydrateClient>
      <BrandingSettings />
    </HydrateClient>
  );
}
