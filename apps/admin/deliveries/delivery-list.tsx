"use client";

import { Button, Group, Stack } from "@mantine/core";
import { IconFilterOff, IconInbox, IconRefresh } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { byCursor } from "../applications/query.ts";
import { PageHeader } from "../shell/page-header.tsx";
import { EmptyState, FailedState, RowsSkeleton } from "../shell/state.tsx";
import { useUrlFilters } from "../shell/use-url-filters.ts";
import { useTRPC } from "../trpc/client.tsx";
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
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];

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
        {list.isSuccess && items.length === 0 && <Nothing filtered={filtered} clear={clear} />}
        {list.hasNextPage && (
          <Group justify="center">
            <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
              Load more
            </Button>
          </Group>
        )}
      </Stack>
    </>
  );
}

function Nothing({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  return filtered ? (
    <EmptyState
      icon={<IconFilterOff size={26} />}
      title="No delivery matches"
      action={
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      }
    >
      Nothing was received that fits all of the filters above.
    </EmptyState>
  ) : (
    <EmptyState icon={<IconInbox size={26} />} title="Nothing received yet">
      Point your provider at <code>/api/webhooks/&lt;provider&gt;</code> of this server. Deliveries appear here by themselves, also those
      that are refused.
    </EmptyState>
  );
}
