import type { Metadata } from "next";
import { EndpointPage } from "@/features/webhooks/endpoint-page.tsx";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

type Props = { params: Promise<{ slug: string }> };

async function load({ params }: Props) {
  const { slug } = await params;
  const { trpc, queryClient } = await consoleData();
  return loadOrRedirect(queryClient.fetchQuery(trpc.webhookEndpoints.get.queryOptions({ slug })));
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { slug, environment } = await load(props);
  return { title: `${slug} (${environment}) · Webhook providers` };
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
