"use client";

import { REFUSAL_FILTERS } from "@gatehouse/console/lists/lists";
import { Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { FilterField } from "@/components/filter-bar/fields.ts";
import { FilterBar } from "@/components/filter-bar/filter-bar.tsx";
import { List } from "@/components/list.tsx";
import { useListPlace } from "@/components/list-place.ts";
import { useMe } from "@/components/me.tsx";
import { EmptyState } from "@/components/state.tsx";
import type { Column } from "@/components/table/columns.ts";
import { DataTable } from "@/components/table/data-table.tsx";
import { usePageSize } from "@/components/table/page-size.ts";
import { ViewMenu } from "@/components/table/view-menu.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import type { Refusal } from "@/trpc/types.ts";
import { ClientName } from "./client-name.tsx";
import styles from "./failures.module.css";
import { FAILURE_FIELDS } from "./fields.ts";

const BY_USER: FilterField = {
  kind: "text",
  name: "userId",
  label: "User id",
  maxLength: REFUSAL_FILTERS.userId.maxLength,
};

const BY_ADDRESS: FilterField = {
  kind: "text",
  name: "address",
  label: "Address",
  maxLength: REFUSAL_FILTERS.address.maxLength,
};

/** Single refusals, newest first; `group`: only those of one group. */
export function RefusalList({ group }: { group?: string }) {
  const trpc = useTRPC();
  const { can } = useMe();
  const { values, set, isSet, clear } = useFilters(REFUSAL_FILTERS);
  const { environment: _, group: __, ...chips } = values;
  const filter = group === undefined ? values : { group };
  const query = useInfiniteQuery({
    ...useListPlace(trpc.refusals.list.infiniteQueryOptions(listInput(filter, usePageSize()), byCursor)),
    placeholderData: keepPreviousData,
  });
  const fields = can.manageProduction ? [...FAILURE_FIELDS, BY_USER, BY_ADDRESS] : [...FAILURE_FIELDS, BY_USER];
  return (
    <List
      query={query}
      filtered={isSet || group !== undefined}
      filters={
        group === undefined && (
          <FilterBar
            label="Filter failures"
            fields={fields}
            values={chips}
            set={(name, value) => set({ [name]: value })}
            clear={clear}
          >
            <ViewMenu name="refusals" columns={COLUMNS} paged />
          </FilterBar>
        )
      }
      empty={
        <EmptyState icon={<IconCircleCheck size={26} />} title="No refused requests">
          When a request is refused, it appears here at once, with its true cause.
        </EmptyState>
      }
      noMatch={{ title: "No failures found", text: "No refused request matches all of these filters." }}
      skeleton={{ rows: 8, height: 36 }}
    >
      {(refusals) => (
        <DataTable
          name="refusals"
          label="Refused requests"
          rows={refusals}
          columns={COLUMNS}
          rowId={({ errorId }) => errorId}
          href={({ errorId }) => `/failures/${encodeURIComponent(errorId)}`}
        />
      )}
    </List>
  );
}

const COLUMNS: readonly Column<Refusal>[] = [
  { id: "errorId", title: "Error id", render: ({ errorId }) => <code>{errorId}</code> },
  {
    id: "cause",
    title: "Cause",
    render: ({ explanation, cause, endpoint }) => (
      <span className={styles["failure"]}>
        <Text span size="sm" display="block">
          {explanation}
        </Text>
        <Text span size="xs" c="dimmed">
          <code>{cause}</code> · <bdi>{endpoint}</bdi>
        </Text>
      </span>
    ),
  },
  { id: "client", title: "Client", from: "medium", render: ({ client }) => <ClientName client={client} /> },
  { id: "address", title: "Address", from: "wide", render: ({ address }) => <code>{address ?? "unknown"}</code> },
  { id: "at", title: "Time", time: true, render: ({ at }) => <Timestamp at={at} seconds brief /> },
];
