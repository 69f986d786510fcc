"use client";

type Props = { list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown } };

/** Loads the next page of an infinite query, if there is one. */
export function More({ list }: Props) {
  if (!list.hasNextPage) return null;
  return (
    <button
      type="button"
      className="button quiet"
      disabled={list.isFetchingNextPage}
      onClick={() => list.fetchNextPage()}
    >
      Show more
    </button>
  );
}
