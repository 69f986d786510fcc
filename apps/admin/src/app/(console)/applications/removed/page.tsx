import { REMOVED_FILTERS } from "@gatehouse/console/lists/lists";
import type { Metadata } from "next";
import { RemovedPage } from "@/features/applications/removed/removed-page.tsx";
import { byCursor, listInput, startingAt } from "@/trpc/list.ts";
import { consoleData, cursorOf, filtersFrom, HydrateClient, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Removed" };

export default async function Removed({ searchParams }: { searchParams: SearchParams }) {
  const { trpc, queryClient } = await consoleData();
  const filters = await filtersFrom(REMOVED_FILTERS, searchParams);
  await queryClient.prefetchInfiniteQuery(
    startingAt(trpc.removed.list.infiniteQueryOptions(listInput(filters), byCursor), await cursorOf(searchParams)),
  );
  return (
    <HydrateClient>
      <RemovedPage />
    </HydrateClient>
  );
}
