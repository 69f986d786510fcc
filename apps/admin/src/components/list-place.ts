"use client";

import { hashKey, type InfiniteData, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { startingAt } from "@/trpc/list.ts";
import { changeQuery } from "./use-filters.ts";

type ListOptions = { queryKey: QueryKey; initialPageParam?: unknown };

/**
 * The query of a list, as its page's URL says: from `cursor=` on, and with the rows before it while they are still
 * loaded, as after Back. CO-03.
 */
export function useListPlace<Options extends ListOptions>(options: Options): Options {
  const cursor = useSearchParams().get("cursor") ?? undefined;
  return startingAt(options, startOf(useQueryClient(), options.queryKey, cursor));
}

/** Where the loaded rows that reach `cursor` start; those from the list's own start are preferred. */
function startOf(queryClient: QueryClient, queryKey: QueryKey, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const starts = queryClient
    .getQueriesData<InfiniteData<unknown>>({ queryKey })
    .filter(
      ([key, data]) =>
        hashKey(key.slice(0, queryKey.length)) === hashKey(queryKey) && data?.pageParams.includes(cursor),
    )
    .map(([, data]) => data?.pageParams[0]);
  if (starts.length === 0) return cursor;
  return starts.every((start) => typeof start === "string") ? starts[0] : undefined;
}

/**
 * Writes the cursor of the last loaded page to the URL, so that a reload or a colleague sees that page. `pageParams`:
 * undefined while they are those of other filters. CO-03.
 */
export function useCursorInUrl(pageParams: readonly unknown[] | undefined): void {
  const last = pageParams?.at(-1);
  const known = pageParams !== undefined;
  useEffect(() => {
    if (!known) return;
    const cursor = typeof last === "string" ? last : undefined;
    if ((new URLSearchParams(window.location.search).get("cursor") ?? undefined) !== cursor) changeQuery({ cursor });
  }, [known, last]);
}
