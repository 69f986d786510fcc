import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { pageTitle } from "@/components/page-title.ts";
import { ResourcePage } from "@/features/resources/resource-page.tsx";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

async function load({ params }: Props) {
  const id = decodeURIComponent((await params).id);
  const { trpc, queryClient } = await consoleData();
  const all = await loadOrRedirect(queryClient.fetchQuery(trpc.resources.list.queryOptions()));
  return all.find((resource) => resource.id === id) ?? notFound();
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: pageTitle({ title: (await load(props)).name, section: "API resources" }) };
}

export default async function Resource(props: Props) {
  const { id } = await load(props);
  const { trpc, queryClient } = await consoleData();
  await queryClient.prefetchQuery(trpc.resources.usage.queryOptions({ id }));
  return (
    <HydrateClient>
      <ResourcePage id={id} />
    </HydrateClient>
  );
}
