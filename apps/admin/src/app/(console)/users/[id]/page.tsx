import type { Metadata } from "next";
import { UserPage } from "@/features/users/user-page.tsx";
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
  await queryClient.prefetchQuery(trpc.sessions.list.queryOptions({ userId: id }));
  return (
    <HydrateClient>
      <UserPage id={id} />
    </HydrateClient>
  );
}
