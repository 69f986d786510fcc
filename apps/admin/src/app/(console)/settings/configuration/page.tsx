import type { Metadata } from "next";
import { ConfigurationPage } from "@/features/configuration/configuration-page.tsx";
import { byCursor } from "@/trpc/list.ts";
import { consoleData, HydrateClient, requireRole } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Configuration · Settings" };

export default async function Configuration() {
  await requireRole("admin");
  const { trpc, queryClient } = await consoleData();
  await queryClient.prefetchInfiniteQuery(trpc.configuration.drift.infiniteQueryOptions({}, byCursor));
  return (
    <HydrateClient>
      <ConfigurationPage />
    </HydrateClient>
  );
}
