import type { Metadata } from "next";
import { GroupPage } from "@/features/failures/group-page.tsx";
import { byCursor, listInput, startingAt } from "@/trpc/list.ts";
import { consoleData, cursorOf, HydrateClient, loadOrRedirect, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Group of failures" };

export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ key: string }>;
  searchParams: SearchParams;
}) {
  const { key } = await params;
  const { trpc, queryClient } = await consoleData();
  await Promise.all([
    loadOrRedirect(queryClient.fetchQuery(trpc.refusals.group.queryOptions({ key }))),
    queryClient.prefetchInfiniteQuery(
      startingAt(
        trpc.refusals.list.infiniteQueryOptions(listInput({ group: key }), byCursor),
        await cursorOf(searchParams),
      ),
    ),
  ]);
  return (
    <HydrateClient>
      <GroupPage groupKey={key} />
    </HydrateClient>
  );
}
