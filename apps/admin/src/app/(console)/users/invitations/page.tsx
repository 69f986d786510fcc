import type { Metadata } from "next";
import { InvitationList } from "@/features/users/invitation-list.tsx";
import { byCursor, listInput, startingAt } from "@/trpc/list.ts";
import { consoleData, cursorOf, HydrateClient, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Invitations" };

export default async function InvitationsPage({ searchParams }: { searchParams: SearchParams }) {
  const { trpc, queryClient } = await consoleData();
  const cursor = await cursorOf(searchParams);
  await Promise.all([
    queryClient.prefetchQuery(trpc.users.count.queryOptions()),
    queryClient.prefetchInfiniteQuery(
      startingAt(trpc.invitations.list.infiniteQueryOptions(listInput({}), byCursor), cursor),
    ),
  ]);
  return (
    <HydrateClient>
      <InvitationList />
    </HydrateClient>
  );
}
