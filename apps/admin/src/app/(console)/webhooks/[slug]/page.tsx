import type { Metadata } from "next";
import { pageTitle } from "@/components/page-title.ts";
import { EndpointPage } from "@/features/webhooks/endpoint-page.tsx";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

type Props = { params: Promise<{ slug: string }> };

async function load({ params }: Props) {
  const { slug } = await params;
  const { trpc, queryClient } = await consoleData();
  return loadOrRedirect(queryClient.fetchQuery(trpc.webhookEndpoints.get.queryOptions({ slug })));
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { slug, name, environment } = await load(props);
  return { title: pageTitle({ title: name ?? slug, section: "Webhook providers", environment }) };
}

export default async function Page(props: Props) {
  const { slug } = await load(props);
  const { trpc, queryClient } = await consoleData();
  await Promise.all([
    queryClient.prefetchQuery(trpc.webhookEndpoints.providers.queryOptions()),
    queryClient.prefetchQuery(trpc.webhookSecrets.list.queryOptions({ endpoint: slug })),
  ]);
  return (
    <HydrateClient>
      <EndpointPage slug={slug} />
    </HydrateClient>
  );
}
