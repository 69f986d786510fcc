"use client";

import { DELIVERY_FILTERS } from "@gatehouse/console/lists/lists";
import { Button } from "@mantine/core";
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
import { Peek } from "@/components/peek/peek.tsx";
import { usePeek } from "@/components/peek/use-peek.ts";
import { EmptyState, RowsSkeleton } from "@/components/state.tsx";
import { changeQuery, useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import type { DeliveryItem, DeliveryPage } from "@/trpc/types.ts";
import { DeliveryCharts } from "./charts/delivery-charts.tsx";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { RerunProgress } from "./rerun-progress.tsx";
import "./delivery-list.css";
import { SelectionBar } from "@/components/table/selection-bar.tsx";
import { useSelection } from "@/components/table/use-selection.ts";
import { DeliveryTable, rowLinkId } from "./delivery-table.tsx";
import { Freshness } from "./freshness.tsx";
import { ListHeader } from "./list-header.tsx";
import { NewRows, useAtTop } from "./new-rows.tsx";
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
const linkOf = (id: string) => document.getElementById(rowLinkId(id));

/** Every webhook request, rejected ones included, newest first. */
export function DeliveryList() {
  const { values, isSet } = useFilters(DELIVERY_FILTERS);
  const { query, loaded, restart } = useLoaded();
  const [liveOn, setLiveOn] = useState(false);
  const { sentinel, atTop, scrollToTop } = useAtTop();
  const selection = useSelection(
    loaded.map(({ id }) => id),
    JSON.stringify(values),
  );
  const live = useLive({ filter: values, loaded, enabled: liveOn, hold: !atTop || selection.selected.kind !== "none", restart });
  function setLive(on: boolean): void {
    if (on) changeQuery({ cursor: undefined }); // new rows join the first page
    setLiveOn(on);
  }
  const opened = usePeek(
    live.items.map(({ id }) => id),
    { hrefOf, linkOf },
  );
  const { can } = useMe();
  const confirmed = useConfirmed();
  const [rerunning, rerun] = useDisclosure();
  const [exporting, download] = useDisclosure();

  return (
    <div className="page-wide delivery-list" data-peeking={opened.openId !== null}>
      <ListHeader live={liveOn} setLive={setLive} download={() => confirmed(download.open)} />
      <List
        query={{ ...query, data: query.data && withRows(query.data, live.items) }}
        filtered={isSet}
        filters={
          <>
            <DeliveryCharts />
            <DeliveryFilters>
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
        empty={<NoDeliveries />}
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
            <div ref={sentinel} className="list-top" />
            <DeliveryTable
              deliveries={deliveries}
              openId={opened.openId}
              open={opened.open}
              selection={can.manageDevelopment ? selection.table : undefined}
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
        <Button size="compact-sm" leftSection={<IconPlayerPlay size={14} aria-hidden="true" />} onClick={() => confirmed(rerun.open)}>
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
      <ExportDialog selected={selection.selected} filter={values} filtered={isSet} opened={exporting} close={download.close} />
    </div>
  );
}

/** The pages that match the filters in the URL. */
function useLoaded() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { values, isSet } = useFilters(DELIVERY_FILTERS);
  const options = useListPlace(trpc.deliveries.list.infiniteQueryOptions(listInput(values), byCursor));
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
      queryClient.setQueryData(queryKey, (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) });
      void queryClient.invalidateQueries({ queryKey });
    },
  };
}

/** The loaded pages with these rows instead of their own. */
function withRows<Parameter>(data: InfiniteData<DeliveryPage, Parameter>, items: DeliveryItem[]): InfiniteData<DeliveryPage, Parameter> {
  return { ...data, pages: data.pages.map((page, index) => ({ ...page, items: index === 0 ? items : [] })) };
}

function NoDeliveries() {
  return (
    <EmptyState icon={<IconInbox size={26} />} title="No deliveries yet">
      Set your provider’s webhook URL to <code>/api/webhooks/&lt;provider&gt;</code> on this server. Deliveries appear here automatically,
      including rejected ones.
    </EmptyState>
  );
}
