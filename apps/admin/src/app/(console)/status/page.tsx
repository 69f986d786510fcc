import type { Metadata } from "next";
import { StatusPage } from "@/features/status/status-page.tsx";
import { consoleData, HydrateClient, requireRole } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Status" };

export default async function Status() {
  await requireRole("admin");
  const { trpc, queryClient } = await consoleData();
  await queryClient.prefetchQuery(trpc.status.get.queryOptions());
  return (
    <HydrateClient>
      <StatusPage />
    </HydrateClient>
  );
}
