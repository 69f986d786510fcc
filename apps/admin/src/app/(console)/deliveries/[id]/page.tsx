import type { Metadata } from "next";
import { DeliveryDetail } from "@/features/deliveries/delivery-detail.tsx";
import { consoleData, orLeave } from "@/trpc/server.ts";

export const metadata: Metadata = { title: "Delivery" };

/** A delivery never changes, so the page is rendered from what the server said once. */
export default async function DeliveryPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { client } = await consoleData();
  return <DeliveryDetail delivery={await orLeave(client.deliveries.get.query({ id }))} />;
}
