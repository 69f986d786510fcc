/** What the list asks for, the same on the server and in the browser so that one finds what the other fetched. */
export const applicationListInput = (query: string) => ({ limit: 25, ...(query === "" ? {} : { query }) });

/** Paging of every list: go on while there is a next cursor. */
export const byCursor = {
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
};

type Page<Item> = { items: Item[]; searchedBackTo: number | null };

/** The rows of all pages, and how far back the search came when it stopped before its page was full. */
export function rowsOf<Item>(pages: readonly Page<Item>[]): Page<Item> {
  return { items: pages.flatMap((page) => page.items), searchedBackTo: pages.at(-1)?.searchedBackTo ?? null };
}
