"use client";

import { Button, Group, Text } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { Instant } from "./instant.tsx";

/** What a list needs of its query. */
export type Paging = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/** Below the rows: the next page, or how far back the search came and a way to continue it. */
export function ListEnd({ paging, searchedBackTo }: { paging: Paging; searchedBackTo: number | null }) {
  if (!paging.hasNextPage) return null;
  return (
    <Group justify="center" gap="sm">
      {searchedBackTo === null ? (
        <Button variant="default" loading={paging.isFetchingNextPage} onClick={() => paging.fetchNextPage()}>
          Load more
        </Button>
      ) : (
        <>
          <Text size="sm" c="dimmed" role="status">
            Searched back to <Instant at={searchedBackTo} />
          </Text>
          <SearchFurther paging={paging} />
        </>
      )}
    </Group>
  );
}

/** Continues a search that stopped before it had examined every row. */
export function SearchFurther({ paging }: { paging: Paging }) {
  return (
    <Button
      variant="default"
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      loading={paging.isFetchingNextPage}
      onClick={() => paging.fetchNextPage()}
    >
      Search further
    </Button>
  );
}
