import type { Metadata } from "next";
import { pageTitle } from "@/components/page-title.ts";
import { SelfRegisteredClientPage } from "@/features/self-registered/client-page.tsx";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

async function load({ params }: Props) {
  const clientId = decodeURIComponent((await params).id);
  const { trpc, queryClient } = await consoleData();
  return loadOrRedirect(queryClient.fetchQuery(trpc.selfRegistered.get.queryOptions({ clientId })));
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return {
    title: pageTitle({ title: (await load(props)).name, section: "Self-registered", environment: "production" }),
  };
}

export default async function Client(props: Props) {
  const { clientId } = await load(props);
  return (
    <HydrateClient>
      <SelfRegisteredClientPage clientId={clientId} />
    </HydrateClient>
  );
}
