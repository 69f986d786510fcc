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
    queryClient.prefetchQuery(trpc.mails.status.queryOptions()),
    queryClient.prefetchInfiniteQuery(
      startingAt(
        trpc.mails.list.infiniteQueryOptions(listInput(filters, await pageSizeOf(searchParams)), byCursor),
        await cursorOf(searchParams),
      ),
    ),
  ]);
  // Passed as a property: the layout's alarm has this query too, so the page would get the answer after the first
  // paint.
  const delivery = queryClient.getQueryData(trpc.mails.status.queryKey())?.delivery;
  return (
    <HydrateClient>
      <MailList known={delivery} />
    </HydrateClient>
  );
}
