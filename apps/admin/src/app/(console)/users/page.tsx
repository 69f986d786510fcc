import { USER_FILTERS } from "@gatehouse/console/lists/lists";
import type { Metadata } from "next";
import { UserList } from "@/features/users/user-list.tsx";
import { byCursor, listInput, startingAt } from "@/trpc/list.ts";
import { consoleData, cursorOf, filtersFrom, HydrateClient, pageSizeOf, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Users" };

export default async function UsersPage({ searchParams }: { searchParams: SearchParams }) {
  const { trpc, queryClient } = await consoleData();
  const filters = await filtersFrom(USER_FILTERS, searchParams);
  const [pageSize, cursor] = [await pageSizeOf(searchParams), await cursorOf(searchParams)];
  await Promise.all([
    queryClient.prefetchQuery(trpc.users.count.queryOptions()),
    queryClient.prefetchInfiniteQuery(
      startingAt(trpc.users.list.infiniteQueryOptions(listInput(filters, pageSize), byCursor), cursor),
    ),
  ]);
  return (
    <HydrateClient>
      <UserList />
    </HydrateClient>
  );
}
