import type { Metadata } from "next";
import { DeliveryDetail } from "@/features/deliveries/delivery-detail.tsx";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Delivery" };

export default async function DeliveryPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { trpc, queryClient } = await consoleData();
  const delivery = await loadOrRedirect(queryClient.fetchQuery(trpc.deliveries.get.queryOptions({ id })));
  if (delivery.outcome === "rejected") await queryClient.prefetchQuery(trpc.deliveries.diagnose.queryOptions({ id }));
  else await queryClient.prefetchQuery(trpc.deliveries.attempts.queryOptions({ id }));
  return (
    <HydrateClient>
      <DeliveryDetail id={id} place="page" />
    </HydrateClient>
  );
}
