import type { Metadata } from "next";
import { env } from "@/env.ts";
import { ApplicationPage } from "@/features/applications/application-page.tsx";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

async function load({ params }: Props) {
  const { id } = await params;
  const { trpc, queryClient } = await consoleData();
  return loadOrRedirect(queryClient.fetchQuery(trpc.applications.get.queryOptions({ id })));
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: (await load(props)).name };
}

export default async function Page(props: Props) {
  const { id } = await load(props);
  const { trpc, queryClient } = await consoleData();
  await Promise.all([
    queryClient.prefetchQuery(trpc.scopes.list.queryOptions()),
    queryClient.prefetchQuery(trpc.resources.list.queryOptions()),
  ]);
  return (
    <HydrateClient>
      <ApplicationPage id={id} issuer={env().issuer} />
    </HydrateClient>
  );
}
