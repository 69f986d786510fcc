import { FAILURE_GROUP_FILTERS, REFUSAL_FILTERS } from "@gatehouse/lists";
import type { Metadata } from "next";
import { FailuresPage } from "@/features/failures/failures-page.tsx";
import { openOnly } from "@/features/failures/states.ts";
import { byCursor, listInput } from "@/trpc/list.ts";
import { consoleData, filtersFrom, HydrateClient, pageSizeOf, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Failures" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const { trpc, queryClient } = await consoleData();
  const size = await pageSizeOf(searchParams);
  if ((await searchParams)["tab"] === "all") {
    const filters = await filtersFrom(REFUSAL_FILTERS, searchParams);
    await queryClient.prefetchInfiniteQuery(trpc.refusals.list.infiniteQueryOptions(listInput(filters, size), byCursor));
  } else {
    const filters = openOnly(await filtersFrom(FAILURE_GROUP_FILTERS, searchParams));
    await queryClient.prefetchInfiniteQuery(trpc.refusals.groups.infiniteQueryOptions(listInput(filters, size), byCursor));
  }
  return (
    <HydrateClient>
      <FailuresPage />
    </HydrateClient>
  );
}
