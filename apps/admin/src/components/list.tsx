"use client";

import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { IconSearch, IconSearchOff } from "@tabler/icons-react";
import type { InfiniteData } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { useCursorInUrl } from "./list-place.ts";
import { EmptyState, LoadError, RowsSkeleton } from "./state.tsx";
import { Timestamp } from "./timestamp.tsx";
import { changeQuery } from "./use-filters.ts";

/**
 * One page of a list procedure. `searchedBackTo` (Unix seconds) is set when the search stopped before the page was
 * full. CO-55.
 */
type Page<Item> = { items: Item[]; nextCursor: string | null; searchedBackTo: number | null };

/** The part of an infinite query that a list reads. */
type ListQuery<Item> = {
  data: InfiniteData<Page<Item>, unknown> | undefined;
  error: unknown;
  isPending: boolean;
  isError: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isPlaceholderData: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
};

type Props<Item> = {
  query: ListQuery<Item>;
  /** The filter controls. Hidden while there is nothing to filter. */
  filters: ReactNode;
  /** True when a filter is set. */
  filtered: boolean;
  /** Shown when there are no items at all. */
  empty?: ReactNode;
  /** Shown when no item matches the filters. */
  noMatch: { title: string; text: string };
  /** Placeholder rows for the first load. */
  skeleton: { rows: number; height: number };
  children: (items: Item[]) => ReactNode;
};

/** More rows than this make a page slow, and a change reads all of them again. */
const MOST_ROWS = 1_000;

/**
 * The body of every list page: filters, then rows, a loading, error or empty state, and the way to more rows. CO-80.
 */
export function List<Item>({ query, filters, filtered, empty, noMatch, skeleton, children }: Props<Item>) {
  const { button, end } = useFocusAfterLoading(query.isFetchingNextPage);
  const top = useRef<HTMLDivElement>(null);
  useCursorInUrl(query.isPlaceholderData ? undefined : query.data?.pageParams);
  const isFromMiddle = useIsFromMiddle(query.data);
  const pages = query.data?.pages ?? [];
  const items = pages.flatMap((page) => page.items);
  const { searchedBackTo = null, nextCursor = null } = pages.at(-1) ?? {};
  const isFull = items.length >= MOST_ROWS && nextCursor !== null;
  const goTo = (cursor: string | undefined) => {
    changeQuery({ cursor }, { push: true });
    top.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  };

  if (empty !== undefined && query.data !== undefined && items.length === 0 && !filtered && !isFromMiddle) return empty;
  const more = query.hasNextPage && (
    <Button
      ref={button}
      variant="default"
      leftSection={searchedBackTo !== null && <IconSearch size={16} aria-hidden="true" />}
      loading={query.isFetchingNextPage}
      onClick={() => query.fetchNextPage()}
    >
      {searchedBackTo === null ? "Load more" : "Search further"}
    </Button>
  );
  return (
    <Stack gap="md" ref={top} tabIndex={-1} style={{ outline: "none" }}>
      {filters}
      {isFromMiddle && (
        <Text size="sm" c="dimmed">
          This is not the start of the list. <PlaceLink goTo={goTo}>Go to the first page</PlaceLink>
        </Text>
      )}
      {query.isPending && <RowsSkeleton {...skeleton} />}
      {query.isError && <LoadError error={query.error} retry={query.refetch} />}
      {items.length > 0 && children(items)}
      {query.data !== undefined && (
        <div ref={end} tabIndex={-1} style={{ outline: "none" }}>
          {items.length === 0 ? (
            <NoMatch {...noMatch} searchedBackTo={searchedBackTo} more={more} />
          ) : (
            <Group justify="center" gap="sm" c="dimmed" fz="sm">
              {searchedBackTo !== null && (
                <span role="status">
                  Searched back to <Timestamp at={searchedBackTo} />
                </span>
              )}
              {isFull ? (
                <Text size="sm">
                  {items.length.toLocaleString("en")} rows are shown.{" "}
                  <PlaceLink cursor={nextCursor} goTo={goTo}>
                    Go to the next page
                  </PlaceLink>
                </Text>
              ) : (
                more
              )}
              {pages.length > 1 && !query.hasNextPage && <Text size="sm">End of list</Text>}
            </Group>
          )}
        </div>
      )}
    </Stack>
  );
}

/** Whether the rows before the first one shown are not loaded. */
function useIsFromMiddle(data: ListQuery<unknown>["data"]): boolean {
  const cursor = useSearchParams().get("cursor");
  return data === undefined ? cursor !== null : typeof data.pageParams[0] === "string";
}

type PlaceLinkProps = { cursor?: string; goTo: (cursor: string | undefined) => void; children: string };

/** Leads to the list from `cursor` on, or from its start. */
function PlaceLink({ cursor, goTo, children }: PlaceLinkProps) {
  const query = new URLSearchParams(useSearchParams());
  query.delete("cursor");
  if (cursor !== undefined) query.set("cursor", cursor);
  return (
    <Anchor
      href={`?${query}`}
      size="sm"
      underline="always"
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        goTo(cursor);
      }}
    >
      {children}
    </Anchor>
  );
}

type NoMatchProps = { title: string; text: string; searchedBackTo: number | null; more: ReactNode };

/** A search without results: final, or stopped at `searchedBackTo` and to be continued. */
function NoMatch({ title, text, searchedBackTo, more }: NoMatchProps) {
  if (searchedBackTo === null) {
    return (
      <EmptyState icon={<IconSearchOff size={26} />} title={title} action={more}>
        <span role="status">{text}</span>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconSearchOff size={26} />}
      title={
        <>
          No matches since <Timestamp at={searchedBackTo} />
        </>
      }
      action={more}
    >
      <span role="status">Each search covers a limited number of entries. Search further to include older ones.</span>
    </EmptyState>
  );
}

/**
 * Loading disables the button, which loses the focus. Returns the focus to it, or to the end of the list once
 * everything is loaded.
 */
function useFocusAfterLoading(loading: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const wasLoading = useRef(loading);
  useEffect(() => {
    if (wasLoading.current && !loading && document.activeElement === document.body)
      (button.current ?? end.current)?.focus({ preventScroll: true });
    wasLoading.current = loading;
  }, [loading]);
  return { button, end };
}
