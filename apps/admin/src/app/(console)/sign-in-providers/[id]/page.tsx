import type { Metadata } from "next";
import { ProviderPage } from "@/features/sign-in-providers/provider-page.tsx";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

async function load({ params }: Props) {
  const { id } = await params;
  const { trpc, queryClient } = await consoleData();
  return loadOrRedirect(queryClient.fetchQuery(trpc.signInProviders.get.queryOptions({ id })));
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { name } = await load(props);
  return { title: `${name} · Sign-in providers` };
}

export default async function Page(props: Props) {
  const { id } = await load(props);
  const { trpc, queryClient } = await consoleData();
  await queryClient.prefetchQuery(trpc.signInProviders.presets.queryOptions());
  return (
    <HydrateClient>
      <ProviderPage id={id} />
    </HydrateClient>
  );
}
