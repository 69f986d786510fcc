import type { Metadata } from "next";
import { InvitationList } from "@/features/users/invitation-list.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import { consoleData, HydrateClient } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Invitations" };

export default async function InvitationsPage() {
  const { trpc, queryClient } = await consoleData();
  await queryClient.prefetchInfiniteQuery(trpc.invitations.list.infiniteQueryOptions(listInput({}), byCursor));
  return (
    <HydrateClient>
      <InvitationList />
    </HydrateClient>
  );
}
