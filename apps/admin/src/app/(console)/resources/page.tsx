import type { Metadata } from "next";
import { ResourceList } from "@/features/resources/resource-list.tsx";
import { consoleData, HydrateClient } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "API resources" };

export default async function Resources() {
  const { trpc, queryClient } = await consoleData();
  await queryClient.prefetchQuery(trpc.resources.list.queryOptions());
  return (
    <HydrateClient>
      <ResourceList />
    </HydrateClient>
  );
}
