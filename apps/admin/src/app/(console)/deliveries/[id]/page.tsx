import type { Metadata } from "next";
import { DeliveryDetail } from "@/features/deliveries/delivery-detail.tsx";
import { consoleData, loadOrRedirect } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Delivery" };

/** A delivery never changes, so the page needs no client-side query. */
export default async function DeliveryPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { client } = await consoleData();
  return <DeliveryDetail delivery={await loadOrRedirect(client.deliveries.get.query({ id }))} />;
}
