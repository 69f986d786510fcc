import { FAILURE_GROUP_FILTERS, REFUSAL_FILTERS } from "@gatehouse/console/lists/lists";
import type { Metadata } from "next";
import { FailuresPage } from "@/features/failures/failures-page.tsx";
import { openOnly } from "@/features/failures/states.ts";
import { byCursor, listInput, startingAt } from "@/trpc/list.ts";
import { consoleData, cursorOf, filtersFrom, HydrateClient, pageSizeOf, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Failures" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const { trpc, queryClient } = await consoleData();
  const size = await pageSizeOf(searchParams);
  if ((await searchParams)["tab"] === "all") {
    const filters = await filtersFrom(REFUSAL_FILTERS, searchParams);
    await queryClient.prefetchInfiniteQuery(
      startingAt(
        trpc.refusals.list.infiniteQueryOptions(listInput(filters, size), byCursor),
        await cursorOf(searchParams),
      ),
    );
  } else {
    const filters = openOnly(await filtersFrom(FAILURE_GROUP_FILTERS, searchParams));
    await queryClient.prefetchInfiniteQuery(
      startingAt(
        trpc.refusals.groups.infiniteQueryOptions(listInput(filters, size), byCursor),
        await cursorOf(searchParams),
      ),
    );
  }
  return (
    <HydrateClient>
      <FailuresPage />
    </HydrateClient>
  );
}
