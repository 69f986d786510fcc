import type { Metadata } from "next";
import { EndpointList } from "@/features/webhooks/endpoint-list.tsx";
import { consoleData, HydrateClient } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Webhook providers" };

export default async function WebhooksPage() {
  const { trpc, queryClient } = await consoleData();
  await Promise.all([
    queryClient.prefetchQuery(trpc.webhookEndpoints.list.queryOptions()),
    queryClient.prefetchQuery(trpc.webhookEndpoints.providers.queryOptions()),
  ]);
  return (
    <HydrateClient>
      <EndpointList />
    </HydrateClient>
  );
}
