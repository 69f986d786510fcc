"use client";

import { FAILURE_GROUP_FILTERS } from "@gatehouse/console/lists/lists";
import { Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Trend } from "@/components/charts/trend.tsx";
import { FilterBar } from "@/components/filter-bar/filter-bar.tsx";
import { List } from "@/components/list.tsx";
import { useListPlace } from "@/components/list-place.ts";
import { EmptyState } from "@/components/state.tsx";
import { StatusDot } from "@/components/status-dot.tsx";
import type { Column } from "@/components/table/columns.ts";
import { DataTable } from "@/components/table/data-table.tsx";
import { usePageSize } from "@/components/table/page-size.ts";
import { ViewMenu } from "@/components/table/view-menu.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import type { FailureGroup } from "@/trpc/types.ts";
import { ClientName } from "./client-name.tsx";
import styles from "./failures.module.css";
import { FAILURE_FIELDS } from "./fields.ts";
import { openOnly, STATES } from "./states.ts";
import { differenceText } from "./words.ts";

/**
 * Refusals by cause, client, endpoint and difference; those that came back after somebody resolved them first. CO-46.
 */
export function GroupList() {
  const trpc = useTRPC();
  const { values, set, isSet, clear } = useFilters(FAILURE_GROUP_FILTERS);
  const { environment: _, ...chips } = values;
  const query = useInfiniteQuery({
    ...useListPlace(trpc.refusals.groups.infiniteQueryOptions(listInput(openOnly(values), usePageSize()), byCursor)),
    placeholderData: keepPreviousData,
  });
  return (
    <List
      query={query}
      filtered={isSet}
      filters={
        <FilterBar
          label="Filter failures"
          fields={FAILURE_FIELDS}
          values={chips}
          set={(name, value) => set({ [name]: value })}
          clear={clear}
        >
          <ViewMenu name="failures" columns={COLUMNS} paged />
        </FilterBar>
      }
      empty={
        <EmptyState icon={<IconCircleCheck size={26} />} title="No open failures">
          When a request is refused, its true cause appears here, grouped with others like it. Muted and resolved groups
          are behind the filter State.
        </EmptyState>
      }
      noMatch={{ title: "No failures found", text: "No group of failures matches all of these filters." }}
      skeleton={{ rows: 8, height: 40 }}
    >
      {(groups) => (
        <DataTable
          name="failures"
          label="Groups of failures"
          rows={groups}
          columns={COLUMNS}
          rowId={({ key }) => key}
          href={({ key }) => `/failures/group/${key}`}
        />
      )}
    </List>
  );
}

const COLUMNS: readonly Column<FailureGroup>[] = [
  {
    id: "failure",
    title: "Failure",
    render: ({ explanation, difference, cause, endpoint }) => (
      <span className={styles["failure"]}>
        <Text span size="sm" fw={500} display="block">
          {explanation.replace(/\.$/, "")}
          {difference !== "" && `: ${differenceText(difference)}`}
        </Text>
        <Text span size="xs" c="dimmed">
          <code>{cause}</code> · {endpoint}
        </Text>
      </span>
    ),
  },
  { id: "client", title: "Client", from: "medium", render: ({ client }) => <ClientName client={client} /> },
  { id: "trend", title: "14 days", from: "wide", render: ({ trend }) => <Trend days={trend} /> },
  { id: "count", title: "Count", numeric: true, render: ({ count }) => count.toLocaleString("en") },
  { id: "last", title: "Last", time: true, render: ({ lastAt }) => <Timestamp at={lastAt} /> },
  { id: "first", title: "First", time: true, optional: true, render: ({ firstAt }) => <Timestamp at={firstAt} /> },
  {
    id: "state",
    title: "State",
    render: ({ state }) => <StatusDot tone={STATES[state].tone}>{STATES[state].label}</StatusDot>,
  },
];
