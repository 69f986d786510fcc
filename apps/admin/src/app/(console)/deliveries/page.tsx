import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { byCursor } from "@/features/applications/query.ts";
import { DeliveryList } from "@/features/deliveries/delivery-list.tsx";
import { deliveryListInput } from "@/features/deliveries/query.ts";
import { consoleData } from "@/trpc/server.ts";

export const metadata: Metadata = { title: "Deliveries" };

export default async function DeliveriesPage({ searchParams }: { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const given = await searchParams;
  const { trpc, queryClient } = await consoleData();
  const input = deliveryListInput((filter) => (typeof given[filter] === "string" ? given[filter] : ""));
  await Promise.all([
    queryClient.prefetchInfiniteQuery(trpc.deliveries.list.infiniteQueryOptions(input, byCursor)),
    queryClient.prefetchQuery(trpc.deliveries.facets.queryOptions()),
  ]);
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <DeliveryList />
    </HydrationBoundary>
  );
}
