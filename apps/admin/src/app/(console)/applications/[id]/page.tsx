import type { Metadata } from "next";
import { env } from "@/env.ts";
import { ApplicationPage } from "@/features/applications/application-page.tsx";
import { SHOWN_CLIENT, shownClient } from "@/features/clients/shown-client.ts";
import { prefetchTab } from "@/features/clients/tab-data.ts";
import { consoleData, filtersFrom, HydrateClient, loadOrRedirect, type SearchParams } from "@/trpc/server.tsx";

type Props = { params: Promise<{ id: string }>; searchParams: SearchParams };

async function load({ params }: Pick<Props, "params">) {
  const { id } = await params;
  const { trpc, queryClient } = await consoleData();
  return loadOrRedirect(queryClient.fetchQuery(trpc.applications.get.queryOptions({ id })));
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: (await load(props)).name };
}

export default async function Page(props: Props) {
  const application = await load(props);
  const { tab = "overview" } = await props.searchParams;
  const { client } = shownClient(application, await filtersFrom(SHOWN_CLIENT, props.searchParams));
  if (client && typeof tab === "string") await prefetchTab(await consoleData(), tab, client, application);
  return (
    <HydrateClient>
      <ApplicationPage id={application.id} issuer={env().issuer} />
    </HydrateClient>
  );
}
