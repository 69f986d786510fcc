import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { env } from "@/env.ts";
import { ApplicationPage } from "@/features/applications/application-page.tsx";
import { consoleData, orLeave } from "@/trpc/server.ts";

type Props = { params: Promise<{ id: string }> };

async function load({ params }: Props) {
  const { id } = await params;
  const { trpc, queryClient } = await consoleData();
  return { queryClient, application: await orLeave(queryClient.fetchQuery(trpc.applications.get.queryOptions({ id }))) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: (await load(props)).application.name };
}

export default async function Page(props: Props) {
  const { queryClient, application } = await load(props);
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <ApplicationPage id={application.id} issuer={env().issuer} />
    </HydrationBoundary>
  );
}
