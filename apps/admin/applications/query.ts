/** What the list asks for, the same on the server and in the browser so that one finds what the other fetched. */
export const applicationListInput = (query: string) => ({ limit: 25, ...(query === "" ? {} : { query }) });

/** Paging of every list: go on while there is a next cursor. */
export const byCursor = {
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
};
