import type { Metadata } from "next";
import { SHOWN_NEWEST } from "@/features/users/newest.ts";
import { UserPage } from "@/features/users/user-page.tsx";
import { byCursor } from "@/trpc/list.ts";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

async function load({ params }: Props) {
  const { id } = await params;
  const { trpc, queryClient } = await consoleData();
  return loadOrRedirect(queryClient.fetchQuery(trpc.users.get.queryOptions({ id })));
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: (await load(props)).name };
}

export default async function Page(props: Props) {
  const { id } = await load(props);
  const { trpc, queryClient } = await consoleData();
  await Promise.all([
    queryClient.prefetchQuery(trpc.sessions.list.queryOptions({ userId: id })),
    queryClient.prefetchQuery(trpc.signIns.list.queryOptions({ user: id, limit: SHOWN_NEWEST })),
    queryClient.prefetchQuery(trpc.refusals.list.queryOptions({ userId: id, limit: SHOWN_NEWEST })),
    queryClient.prefetchQuery(trpc.users.security.queryOptions({ id })),
    queryClient.prefetchQuery(trpc.signInProviders.list.queryOptions()),
    queryClient.prefetchQuery(trpc.users.connectedApps.queryOptions({ id })),
    queryClient.prefetchInfiniteQuery(trpc.users.history.infiniteQueryOptions({ id }, byCursor)),
  ]);
  return (
    <HydrateClient>
      <UserPage id={id} />
    </HydrateClient>
  );
}
