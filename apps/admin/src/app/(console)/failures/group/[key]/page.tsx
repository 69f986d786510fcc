import type { Metadata } from "next";
import { GroupPage } from "@/features/failures/group-page.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Group of failures" };

export default async function Page({ params }: { params: Promise<{ key: string }> }) {
  const { key } = await params;
  const { trpc, queryClient } = await consoleData();
  await Promise.all([
    loadOrRedirect(queryClient.fetchQuery(trpc.refusals.group.queryOptions({ key }))),
    queryClient.prefetchInfiniteQuery(trpc.refusals.list.infiniteQueryOptions(listInput({ group: key }), byCursor)),
  ]);
  return (
    <HydrateClient>
      <GroupPage groupKey={key} />
    </HydrateClient>
  );
}
