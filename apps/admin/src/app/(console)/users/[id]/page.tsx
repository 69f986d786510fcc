import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { UserPage } from "@/features/users/user-page.tsx";
import { consoleData, orLeave } from "@/trpc/server.ts";

type Props = { params: Promise<{ id: string }> };

async function load({ params }: Props) {
  const { id } = await params;
  const { trpc, queryClient } = await consoleData();
  return { trpc, queryClient, user: await orLeave(queryClient.fetchQuery(trpc.users.get.queryOptions({ id }))) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: (await load(props)).user.name };
}

export default async function Page(props: Props) {
  const { trpc, queryClient, user } = await load(props);
  await queryClient.prefetchQuery(trpc.sessions.list.queryOptions({ userId: user.id }));
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <UserPage id={user.id} />
    </HydrationBoundary>
  );
}
