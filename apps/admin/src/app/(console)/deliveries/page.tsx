import { DELIVERY_FILTERS } from "@gatehouse/console/lists/lists";
import type { Metadata } from "next";
import { env } from "@/env.ts";
import { DeliveryList } from "@/features/deliveries/delivery-list.tsx";
import { startingFilters } from "@/features/deliveries/starting-filters.ts";
import { byCursor, listInput, startingAt } from "@/trpc/list.ts";
import { consoleData, cursorOf, filtersFrom, HydrateClient, pageSizeOf, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Deliveries" };

export default async function DeliveriesPage({ searchParams }: { searchParams: SearchParams }) {
  const { trpc, queryClient } = await consoleData();
  const { eventId } = await searchParams;
  const start = startingFilters(env().issuer, typeof eventId === "string" ? eventId : undefined);
  const filters = await filtersFrom(DELIVERY_FILTERS, searchParams, start);
  await Promise.all([
    queryClient.prefetchInfiniteQuery(
      startingAt(
        trpc.deliveries.list.infiniteQueryOptions(listInput(filters, await pageSizeOf(searchParams)), byCursor),
        await cursorOf(searchParams),
      ),
    ),
    queryClient.prefetchQuery(trpc.deliveries.facets.queryOptions()),
  ]);
  return (
    <HydrateClient>
      <DeliveryList />
    </HydrateClient>
  );
}
