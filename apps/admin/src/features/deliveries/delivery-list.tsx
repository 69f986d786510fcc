"use client";

import { DELIVERY_FILTERS } from "@gatehouse/lists";
import { Button } from "@mantine/core";
import { IconInbox, IconRefresh } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { List } from "@/components/list.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { EmptyState } from "@/components/state.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { DeliveryTable } from "./delivery-table.tsx";

const REFRESH_MS = 5_000;

/** Every webhook request, rejected ones included, newest first. Refreshes by itself while only the first page is loaded. */
export function DeliveryList() {
  const trpc = useTRPC();
  const { values, isSet } = useFilters(DELIVERY_FILTERS);
  const query = useInfiniteQuery({
    ...trpc.deliveries.list.infiniteQueryOptions(listInput(values), byCursor),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? REFRESH_MS : false),
  });
  return (
    <>
      <PageHeader
        title="Deliveries"
        description="Every webhook request this server received, accepted or rejected."
        action={
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            loading={query.isRefetching && !query.isFetchingNextPage && query.isPlaceholderData}
            onClick={() => query.refetch()}
          >
            Refresh
          </Button>
        }
      />
      <List
        query={query}
        filtered={isSet}
        filters={<DeliveryFilters />}
        empty={<NoDeliveries />}
        noMatch={{ title: "No deliveries found", text: "No delivery matches all of these filters." }}
        skeleton={{ rows: 8, height: 42 }}
      >
        {(deliveries) => <DeliveryTable deliveries={deliveries} />}
      </List>
    </>
  );
}

function NoDeliveries() {
  return (
    <EmptyState icon={<IconInbox size={26} />} title="No deliveries yet">
      Set your provider’s webhook URL to <code>/api/webhooks/&lt;provider&gt;</code> on this server. Deliveries appear here automatically,
      including rejected ones.
    </EmptyState>
  );
}
