import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { ApplicationList } from "@/features/applications/application-list.tsx";
import { applicationListInput, byCursor } from "@/features/applications/query.ts";
import { consoleData } from "@/trpc/server.ts";

export const metadata: Metadata = { title: "Applications" };

export default async function ApplicationsPage({ searchParams }: { searchParams: Promise<{ query?: string | string[] }> }) {
  const { query } = await searchParams;
  const { trpc, queryClient } = await consoleData();
  const input = applicationListInput(typeof query === "string" ? query : "");
  await queryClient.prefetchInfiniteQuery(trpc.applications.list.infiniteQueryOptions(input, byCursor));
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <ApplicationList />
    </HydrationBoundary>
  );
}
