import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SearchPage } from "@/features/search/search-page.tsx";
import { consoleData, HydrateClient, loadOrRedirect, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Search" };

export default async function Search({ searchParams }: { searchParams: SearchParams }) {
  const { q } = await searchParams;
  const text = typeof q === "string" ? q.trim().slice(0, 300) : "";
  const { trpc, queryClient } = await consoleData();
  const matches =
    text === "" ? undefined : await loadOrRedirect(queryClient.fetchQuery(trpc.lookup.find.queryOptions({ text })));
  if (matches?.length === 0) notFound();
  return (
    <HydrateClient>
      <SearchPage />
    </HydrateClient>
  );
}
