import type { Metadata } from "next";
import { InvitationList } from "@/features/users/invitation-list.tsx";
import { byCursor, listInput, startingAt } from "@/trpc/list.ts";
import { consoleData, cursorOf, HydrateClient, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Invitations" };

export default async function InvitationsPage({ searchParams }: { searchParams: SearchParams }) {
  const { trpc, queryClient } = await consoleData();
  await queryClient.prefetchInfiniteQuery(
    startingAt(trpc.invitations.list.infiniteQueryOptions(listInput({}), byCursor), await cursorOf(searchParams)),
  );
  return (
    <HydrateClient>
      <InvitationList />
    </HydrateClient>
  );
}
