"use client";

import { Button, Stack } from "@mantine/core";
import { IconInbox, IconRefresh } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { ListEnd } from "@/components/list-end.tsx";
import { NothingFound } from "@/components/nothing-found.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { EmptyState, FailedState, RowsSkeleton } from "@/components/state.tsx";
import { useUrlFilters } from "@/components/use-url-filters.ts";
import { byCursor, rowsOf } from "@/features/applications/query.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { deliveryListInput, FILTERS } from "./query.ts";

const REFRESH_MS = 5_000;

/** The webhook inbox: every hit, the refused ones too, newest first. The first page follows what arrives. */
export function DeliveryList() {
  const trpc = useTRPC();
  const filters = useUrlFilters();
  const list = useInfiniteQuery({
    ...trpc.deliveries.list.infiniteQueryOptions(deliveryListInput(filters.get), byCursor),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? REFRESH_MS : false),
  });
  const filtered = FILTERS.some((filter) => filters.get(filter) !== "");
  const clear = () => filters.set(Object.fromEntries(FILTERS.map((filter) => [filter, ""])));
  const { items, searchedBackTo } = rowsOf(list.data?.pages ?? []);

  return (
    <>
      <PageHeader
        title="Deliveries"
        description="Every webhook that reached this server, and what became of it."
        action={
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            loading={list.isRefetching && !list.isFetchingNextPage && list.isPlaceholderData}
            onClick={() => list.refetch()}
          >
            Refresh
          </Button>
        }
      />
      <Stack gap="md">
        {(filtered || items.length > 0) && <DeliveryFilters filtered={filtered} clear={clear} />}
        {list.isPending && <RowsSkeleton rows={8} height={42} />}
        {list.isError && <FailedState error={list.error} retry={list.refetch} />}
        {items.length > 0 && <DeliveryTable items={items} />}
        {items.length > 0 && <ListEnd paging={list} searchedBackTo={searchedBackTo} />}
        {list.isSuccess && items.length === 0 && !filtered && <NothingReceived />}
        {list.isSuccess && items.length === 0 && filtered && (
          <NothingFound
            title="No delivery matches"
            paging={list}
            searchedBackTo={searchedBackTo}
            action={
              <Button variant="default" onClick={clear}>
                Clear filters
              </Button>
            }
          >
            Nothing was received that fits all of the filters above.
          </NothingFound>
        )}
      </Stack>
    </>
  );
}

function NothingReceived() {
  return (
    <EmptyState icon={<IconInbox size={26} />} title="Nothing received yet">
      Point your provider at <code>/api/webhooks/&lt;provider&gt;</code> of this server. Deliveries appear here by themselves, also those
      that are refused.
    </EmptyState>
  );
}
