import { AUDIT_FILTERS } from "@gatehouse/console/lists/lists";
import type { Metadata } from "next";
import { AuditList } from "@/features/audit/audit-list.tsx";
import { byCursor, listInput, startingAt } from "@/trpc/list.ts";
import { consoleData, cursorOf, filtersFrom, HydrateClient, pageSizeOf, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditPage({ searchParams }: { searchParams: SearchParams }) {
  const { trpc, queryClient } = await consoleData();
  const filters = await filtersFrom(AUDIT_FILTERS, searchParams);
  await queryClient.prefetchInfiniteQuery(
    startingAt(
      trpc.audit.list.infiniteQueryOptions(listInput(filters, await pageSizeOf(searchParams)), byCursor),
      await cursorOf(searchParams),
    ),
  );
  return (
    <HydrateClient>
      <AuditList />
    </HydrateClient>
  );
}
