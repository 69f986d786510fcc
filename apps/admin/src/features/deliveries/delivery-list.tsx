"use client";

import { Anchor, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload, IconInbox, IconPlayerPlay } from "@tabler/icons-react";
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { List } from "@/components/list.tsx";
import { useListPlace } from "@/components/list-place.ts";
import { useMe } from "@/components/me.tsx";
import { onDemand } from "@/components/on-demand.tsx";
import { Peek, PeekRoom } from "@/components/peek/peek.tsx";
import { usePeek } from "@/components/peek/use-peek.ts";
import { EmptyState, RowsSkeleton } from "@/components/state.tsx";
import { DataTable } from "@/components/table/data-table.tsx";
import { usePageSize } from "@/components/table/page-size.ts";
import { SelectionBar } from "@/components/table/selection-bar.tsx";
import { useSelection } from "@/components/table/use-selection.ts";
import { ViewMenu } from "@/components/table/view-menu.tsx";
import { changeQuery } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import type { DeliveryItem, DeliveryPage, Environment } from "@/trpc/types.ts";
import { DeliveryCharts } from "./charts/delivery-charts.tsx";
import { DELIVERY_COLUMNS } from "./delivery-columns.tsx";
import { DeliveryFilters } from "./delivery-filters.tsx";
import styles from "./delivery-list.module.css";
import { Freshness } from "./freshness.tsx";
import { ListHeader } from "./list-header.tsx";
import { NewRows, useAtTop } from "./new-rows.tsx";
import { RerunProgress } from "./rerun-progress.tsx";
import { useDeliveryFilters } from "./use-delivery-filters.ts";
import { useLive } from "./use-live.ts";

/** Loaded when a row is opened. */
const DeliveryDetail = dynamic(() => import("./delivery-detail.tsx").then((module) => module.DeliveryDetail), {
  loading: () => <RowsSkeleton rows={3} height={120} />,
});

const RerunDialog = onDemand(() => import("./rerun-dialog.tsx").then((module) => module.RerunDialog));

const ExportDialog = onDemand(() => import("./export-dialog.tsx").then((module) => module.ExportDialog));

/** While there are no deliveries at all, the page waits for the first one. */
const FIRST_DELIVERY_MS = 5_000;

const hrefOf = (id: string) => `/deliveries/${id}`;
const labelOf = ({ id, eventType, eventId }: DeliveryItem) => `${eventType ?? "delivery"} ${eventId ?? id}`;

/** Every webhook request, rejected ones included, newest first. */
export function DeliveryList() {
  const { values, isSet } = useDeliveryFilters();
  const { query, loaded, restart } = useLoaded();
  const [liveOn, setLiveOn] = useState(false);
  const { sentinel, atTop, scrollToTop } = useAtTop();
  const selection = useSelection(
    loaded.map(({ id }) => id),
    JSON.stringify(values),
  );
  const live = useLive({
    filter: values,
    loaded,
    enabled: liveOn,
    hold: !atTop || selection.selected.kind !== "none",
    restart,
  });
  function setLive(on: boolean): void {
    if (on) changeQuery({ cursor: undefined }); // new rows join the first page
    setLiveOn(on);
  }
  const opened = usePeek(
    live.items.map(({ id }) => id),
    hrefOf,
  );
  const { can } = useMe();
  const confirmed = useConfirmed();
  const [rerunning, rerun] = useDisclosure();
  const [exporting, download] = useDisclosure();

  return (
    <PeekRoom peeking={opened.openId !== null} wide>
      <ListHeader live={liveOn} setLive={setLive} download={() => confirmed(download.open)} sent={live.start} />
      <List
        query={{ ...query, data: query.data && withRows(query.data, live.items) }}
        filtered={isSet}
        filters={
          <>
            <DeliveryCharts />
            <DeliveryFilters>
              <ViewMenu name="deliveries" columns={DELIVERY_COLUMNS} paged />
              <Freshness
                shown={live.items.length}
                more={query.hasNextPage}
                updatedAtMs={query.dataUpdatedAt}
                live={liveOn ? (live.failing ? "failing" : "on") : "off"}
                refresh={live.start}
              />
            </DeliveryFilters>
          </>
        }
        empty={<NoDeliveries environment={values.environment} />}
        noMatch={{ title: "No deliveries found", text: "No delivery matches all of these filters." }}
        skeleton={{ rows: 12, height: 28 }}
      >
        {(deliveries) => (
          <div>
            <NewRows
              count={live.waiting}
              more={live.overflow}
              show={() => {
                selection.clear();
                scrollToTop();
                live.show();
              }}
            />
            <div ref={sentinel} className={styles["top"]} />
            <DataTable
              name="deliveries"
              label="Deliveries"
              rows={deliveries}
              columns={DELIVERY_COLUMNS}
              rowId={({ id }) => id}
              href={({ id }) => hrefOf(id)}
              open={({ id }) => opened.open(id)}
              openId={opened.openId}
              selection={can.manageDevelopment ? { ...selection.table, labelOf } : undefined}
            />
          </div>
        )}
      </List>
      {opened.openId !== null && (
        <Peek
          id={opened.openId}
          noun="delivery"
          href={hrefOf(opened.openId)}
          previous={opened.previous}
          next={opened.next}
          close={opened.close}
        >
          <DeliveryDetail id={opened.openId} place="peek" />
        </Peek>
      )}
      <SelectionBar
        selected={selection.selected}
        selectMatching={selection.all && query.hasNextPage ? selection.selectMatching : undefined}
        clear={selection.clear}
      >
        <Button
          size="compact-sm"
          leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
          onClick={() => confirmed(rerun.open)}
        >
          Run again
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden="true" />}
          onClick={() => confirmed(download.open)}
        >
          Export
        </Button>
      </SelectionBar>
      <RerunDialog selected={selection.selected} filter={values} opened={rerunning} close={rerun.close} />
      <RerunProgress finished={live.start} />
      <ExportDialog
        selected={selection.selected}
        filter={values}
        filtered={Object.keys(values).length > 0}
        opened={exporting}
        close={download.close}
      />
    </PeekRoom>
  );
}

/** The pages that match the filters in the URL. */
function useLoaded() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { values, isSet } = useDeliveryFilters();
  const options = useListPlace(trpc.deliveries.list.infiniteQueryOptions(listInput(values, usePageSize()), byCursor));
  const query = useInfiniteQuery({
    ...options,
    placeholderData: keepPreviousData,
    // Rows must not move by themselves: *Live* brings new ones.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.items.length === 0 && !isSet ? FIRST_DELIVERY_MS : false),
  });
  return {
    query,
    loaded: query.data?.pages.flatMap(({ items }) => items) ?? [],
    /** Loads the first page again, and drops the others. */
    restart() {
      const { queryKey } = options;
      queryClient.setQueryData(
        queryKey,
        (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
      );
      void queryClient.invalidateQueries({ queryKey });
    },
  };
}

/** The loaded pages with these rows instead of their own. */
function withRows<Parameter>(
  data: InfiniteData<DeliveryPage, Parameter>,
  items: DeliveryItem[],
): InfiniteData<DeliveryPage, Parameter> {
  return { ...data, pages: data.pages.map((page, index) => ({ ...page, items: index === 0 ? items : [] })) };
}

function NoDeliveries({ environment }: { environment: Environment | undefined }) {
  return (
    <EmptyState
      icon={<IconInbox size={26} />}
      title={environment === undefined ? "No deliveries yet" : `No deliveries in ${environment} yet`}
      action={
        <Button variant="subtle" size="xs" onClick={() => changeQuery({ probes: "shown" }, { push: true })}>
          Show the doctor’s probes
        </Button>
      }
    >
      Enter the URL of a{" "}
      <Anchor href="/webhooks" underline="always">
        webhook endpoint
      </Anchor>{" "}
      at your provider. Deliveries appear here automatically, including rejected ones.
    </EmptyState>
  );
}
