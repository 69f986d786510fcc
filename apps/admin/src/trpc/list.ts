import { pageSizeFrom } from "@gatehouse/lists";

/** The input of a list procedure. The page prefetches with it and the browser queries with it, so that both use the same query key. */
export function listInput<Values>(filters: Values, limit = pageSizeFrom(null)): Values & { limit: number } {
  return { ...filters, limit };
}

/** The pagination options of every list procedure. */
export const byCursor = {
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
};
