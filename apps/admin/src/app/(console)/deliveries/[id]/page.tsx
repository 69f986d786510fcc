import type { Metadata } from "next";
import { pageTitle } from "@/components/page-title.ts";
import { DeliveryDetail } from "@/features/deliveries/delivery-detail.tsx";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

async function load({ params }: Props) {
  const { id } = await params;
  const { trpc, queryClient } = await consoleData();
  return loadOrRedirect(queryClient.fetchQuery(trpc.deliveries.get.queryOptions({ id })));
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { eventType, providerName, environment } = await load(props);
  return {
    title: pageTitle({ title: eventType ?? `Delivery from ${providerName}`, section: "Deliveries", environment }),
  };
}

export default async function DeliveryPage(props: Props) {
  const delivery = await load(props);
  const { id } = delivery;
  const { trpc, queryClient } = await consoleData();
  if (delivery.outcome === "rejected") await queryClient.prefetchQuery(trpc.deliveries.diagnose.queryOptions({ id }));
  else await queryClient.prefetchQuery(trpc.deliveries.attempts.queryOptions({ id }));
  return (
    <HydrateClient>
      <DeliveryDetail id={id} place="page" />
    </HydrateClient>
  );
}
