import type { Filters } from "@gatehouse/console/lists/filter";
import { STATS_RANGES } from "@gatehouse/console/lists/lists";
import type { Metadata } from "next";
import { environmentNames } from "@/components/environments.tsx";
import { startingEnvironment } from "@/components/starting-environment.ts";
import { env } from "@/env.ts";
import { OverviewPage } from "@/features/overview/overview-page.tsx";
import { consoleData, filtersFrom, HydrateClient, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Overview" };

const FILTERS = {
  range: { kind: "choice", values: STATS_RANGES },
  environment: { kind: "choice", values: environmentNames },
} as const satisfies Filters;

export default async function Home({ searchParams }: { searchParams: SearchParams }) {
  const { trpc, queryClient } = await consoleData();
  const start = startingEnvironment(env().issuer);
  const { range = "24h", environment } = await filtersFrom(FILTERS, searchParams, start);
  await Promise.all([
    queryClient.prefetchQuery(trpc.overview.get.queryOptions({ range, environment })),
    queryClient.prefetchQuery(trpc.overview.attention.queryOptions({})),
    queryClient.prefetchQuery(trpc.overview.firstSteps.queryOptions()),
  ]);
  return (
    <HydrateClient>
      <OverviewPage />
    </HydrateClient>
  );
}
