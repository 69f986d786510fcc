"use client";

import { REMOVED_FILTERS } from "@gatehouse/console/lists/lists";
import { Table, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { EnvironmentBadge } from "@/components/environments.tsx";
import { List } from "@/components/list.tsx";
import { useListPlace } from "@/components/list-place.ts";
import { PageFrame } from "@/components/page-frame.tsx";
import { SearchField } from "@/components/search-field.tsx";
import { EmptyState } from "@/components/state.tsx";
import { SimpleTable } from "@/components/table/simple-table.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import type { Removed } from "@/trpc/types.ts";
import { RestoreButton } from "./restore-button.tsx";

/** Removed applications and clients that can still be restored, newest first. CO-44. */
export function RemovedPage() {
  const trpc = useTRPC();
  const { values, set, isSet } = useFilters(REMOVED_FILTERS);
  const query = useInfiniteQuery({
    ...useListPlace(trpc.removed.list.infiniteQueryOptions(listInput(values), byCursor)),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageFrame
        title="Removed"
        description="Removed applications and clients can be restored for 7 days: everything but secrets and tokens."
        crumbs={[{ label: "Applications", href: "/applications" }]}
      />
      <List
        query={query}
        filtered={isSet}
        filters={<SearchField label="Search removed" value={values.query} onSearch={(text) => set({ query: text })} />}
        empty={
          <EmptyState icon={<IconTrash size={26} />} title="Nothing to restore">
            Applications and clients that you remove stay here for 7 days.
          </EmptyState>
        }
        noMatch={{
          title: "Nothing found",
          text: `Nothing that was removed in the last 7 days matches “${values.query}”.`,
        }}
        skeleton={{ rows: 4, height: 44 }}
      >
        {(items) => (
          <SimpleTable label="Removed" columns={["Removed", "What", "By", "When", "Restorable until", "Actions"]}>
            {items.map((removed) => (
              <Row key={removed.id} removed={removed} />
            ))}
          </SimpleTable>
        )}
      </List>
    </>
  );
}

function Row({ removed }: { removed: Removed }) {
  const { id, kind, name, environment, applicationName, clients, removedAt, removedBy, restorableUntil } = removed;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        <Text span size="sm" fw={500} display="block">
          <bdi>{kind === "application" ? name : `${applicationName} · ${name}`}</bdi>
        </Text>
        <Text span size="xs" c="dimmed">
          <code>{id}</code>
        </Text>
      </Table.Td>
      <Table.Td>
        {environment ? (
          <EnvironmentBadge client={{ environment, enabled: true }} />
        ) : (
          `Application, ${clients === 1 ? "1 client" : `${clients} clients`}`
        )}
      </Table.Td>
      <Table.Td>
        <bdi>{removedBy}</bdi>
      </Table.Td>
      <Table.Td>
        <Timestamp at={removedAt} brief />
      </Table.Td>
      <Table.Td>
        <Timestamp at={restorableUntil} brief />
      </Table.Td>
      <Table.Td>
        <RestoreButton removed={removed} label="Restore" />
      </Table.Td>
    </Table.Tr>
  );
}
