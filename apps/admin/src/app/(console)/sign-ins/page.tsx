import { SIGN_IN_FILTERS } from "@gatehouse/console/lists/lists";
import type { Metadata } from "next";
import { SignInList } from "@/features/sign-ins/sign-in-list.tsx";
import { byCursor, listInput, startingAt } from "@/trpc/list.ts";
import { consoleData, cursorOf, filtersFrom, HydrateClient, pageSizeOf, type SearchParams } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Sign-ins" };

export default async function SignInsPage({ searchParams }: { searchParams: SearchParams }) {
  const { trpc, queryClient } = await consoleData();
  const filters = await filtersFrom(SIGN_IN_FILTERS, searchParams);
  await queryClient.prefetchInfiniteQuery(
    startingAt(
      trpc.signIns.list.infiniteQueryOptions(listInput(filters, await pageSizeOf(searchParams)), byCursor),
      await cursorOf(searchParams),
    ),
  );
  return (
    <HydrateClient>
      <SignInList />
    </HydrateClient>
  );
}
