import { pageSizeFrom } from "@gatehouse/console/lists/page-size";
import type { QueryKey } from "@tanstack/react-query";

/**
 * The input of a list procedure. The page prefetches with it and the browser queries with it, so that both use the same
 * query key.
 */
export function listInput<Values>(filters: Values, limit = pageSizeFrom(null)): Values & { limit: number } {
  return { ...filters, limit };
}

/** The pagination options of every list procedure. */
export const byCursor = {
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
};

type ListOptions = { queryKey: QueryKey; initialPageParam?: unknown };

/** The query of a list's rows from `cursor` on; of all of them without one. CO-03. */
export function startingAt<Options extends ListOptions>(options: Options, cursor: string | undefined): Options {
  if (cursor === undefined) return options;
  return { ...options, queryKey: [...options.queryKey, { from: cursor }], initialPageParam: cursor } as Options;
}
