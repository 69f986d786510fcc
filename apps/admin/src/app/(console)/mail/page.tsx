import { MAIL_FILTERS } from "@gatehouse/console/lists/lists";
import type { Metadata } from "next";
import { MailList } from "@/features/mail/mail-list.tsx";
import { byCursor, listInput, startingAt } from "@/trpc/list.ts";
import {
  consoleData,
  cursorOf,
  filtersFrom,
  HydrateClient,
  pageSizeOf,
  requireRole,
  type SearchParams,
} from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Mail" };

export default async function MailPage({ searchParams }: { searchParams: SearchParams }) {
  await requireRole("admin");
  const { trpc, queryClient } = await consoleData();
  const filters = await filtersFrom(MAIL_FILTERS, searchParams);
  await Promise.all([
    queryClient.prefetchInfiniteQuery(
      startingAt(
        trpc.mails.list.infiniteQueryOptions(listInput(filters, await pageSizeOf(searchParams)), byCursor),
        await cursorOf(searchParams),
      ),
    ),
    queryClient.prefetchQuery(trpc.mails.status.queryOptions()),
  ]);
  return (
    <HydrateClient>
      <MailList />
    </HydrateClient>
  );
}
