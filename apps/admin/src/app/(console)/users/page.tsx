import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { byCursor } from "@/features/applications/query.ts";
import { userListInput } from "@/features/users/query.ts";
import { UserList } from "@/features/users/user-list.tsx";
import { consoleData } from "@/trpc/server.ts";

export const metadata: Metadata = { title: "Users" };

export default async function UsersPage({ searchParams }: { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const { query, role } = await searchParams;
  const { trpc, queryClient } = await consoleData();
  const input = userListInput(typeof query === "string" ? query : "", typeof role === "string" ? role : "");
  await queryClient.prefetchInfiniteQuery(trpc.users.list.infiniteQueryOptions(input, byCursor));
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <UserList />
    </HydrationBoundary>
  );
}
