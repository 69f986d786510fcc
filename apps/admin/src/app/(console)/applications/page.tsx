import { APPLICATION_FILTERS } from "@gatehouse/console/lists/lists";
import type { Metadata } from "next";
import { ApplicationList } from "@/features/applications/application-list.tsx";
import { RemovedLink } from "@/features/applications/removed/removed-link.tsx";
import { UndoRemoval } from "@/features/applications/removed/undo-removal.tsx";
import { byCursor, listInput, startingAt } from "@/trpc/list.ts";
import { consoleData, cursorOf, filtersFrom, HydrateClient, pageSizeOf, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Applications" };

export default async function ApplicationsPage({ searchParams }: { searchParams: SearchParams }) {
  const { trpc, queryClient } = await consoleData();
  const filters = await filtersFrom(APPLICATION_FILTERS, searchParams);
  await queryClient.prefetchInfiniteQuery(
    startingAt(
      trpc.applications.list.infiniteQueryOptions(listInput(filters, await pageSizeOf(searchParams)), byCursor),
      await cursorOf(searchParams),
    ),
  );
  return (
    <HydrateClient>
      <UndoRemoval />
      <ApplicationList />
      <RemovedLink />
    </HydrateClient>
  );
}
