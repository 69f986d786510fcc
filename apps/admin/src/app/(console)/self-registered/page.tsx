import { SELF_REGISTERED_FILTERS } from "@gatehouse/console/lists/lists";
import type { Metadata } from "next";
import { SelfRegisteredPage } from "@/features/self-registered/self-registered-page.tsx";
import { byCursor, listInput, startingAt } from "@/trpc/list.ts";
import { consoleData, cursorOf, filtersFrom, HydrateClient, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Self-registered" };

export default async function SelfRegistered({ searchParams }: { searchParams: SearchParams }) {
  const { trpc, queryClient } = await consoleData();
  const filters = await filtersFrom(SELF_REGISTERED_FILTERS, searchParams);
  await Promise.all([
    queryClient.prefetchQuery(trpc.selfRegistered.groups.queryOptions()),
    queryClient.prefetchInfiniteQuery(
      startingAt(
        trpc.selfRegistered.list.infiniteQueryOptions(listInput(filters), byCursor),
        await cursorOf(searchParams),
      ),
    ),
  ]);
  return (
    <HydrateClient>
      <SelfRegisteredPage />
    </HydrateClient>
  );
}
