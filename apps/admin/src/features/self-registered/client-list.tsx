"use client";

import { SELF_REGISTERED_FILTERS } from "@gatehouse/console/lists/lists";
import { Anchor, Table, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { FilterField } from "@/components/filter-bar/fields.ts";
import { FilterBar } from "@/components/filter-bar/filter-bar.tsx";
import { List } from "@/components/list.tsx";
import { useListPlace } from "@/components/list-place.ts";
import { SimpleTable } from "@/components/table/simple-table.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import type { SelfRegisteredClient } from "@/trpc/types.ts";
import { SelfRegisteredState, STATES, selfRegisteredHref, usersText } from "./states.tsx";

const FIELDS: readonly FilterField[] = [
  {
    kind: "choice",
    name: "state",
    label: "State",
    options: Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
  },
  { kind: "text", name: "host", label: "Document host", maxLength: 253 },
  { kind: "text", name: "software", label: "Software id", maxLength: 255 },
];

/** Every self-registered client, newest first. */
export function ClientList() {
  const trpc = useTRPC();
  const { values, set, isSet, clear } = useFilters(SELF_REGISTERED_FILTERS);
  const query = useInfiniteQuery({
    ...useListPlace(trpc.selfRegistered.list.infiniteQueryOptions(listInput(values), byCursor)),
    placeholderData: keepPreviousData,
  });
  return (
    <List
      query={query}
      filtered={isSet}
      filters={
        <FilterBar
          label="Filter clients"
          fields={FIELDS}
          values={values}
          set={(name, value) => set({ [name]: value })}
          clear={clear}
        />
      }
      noMatch={{ title: "No clients found", text: "No self-registered client matches these filters." }}
      skeleton={{ rows: 6, height: 44 }}
    >
      {(clients) => (
        <SimpleTable label="Clients" columns={["Client", "State", "Redirects to", "Users", "Last token", "Registered"]}>
          {clients.map((client) => (
            <Row key={client.clientId} client={client} />
          ))}
        </SimpleTable>
      )}
    </List>
  );
}

function Row({ client }: { client: SelfRegisteredClient }) {
  const { clientId, name, state, approvedAt, redirectHosts, lastUsedAt, createdAt } = client;
  return (
    <Table.Tr>
      <Table.Td style={{ maxWidth: 420, overflowWrap: "anywhere" }}>
        <Anchor component={Link} href={selfRegisteredHref(clientId)} size="sm" fw={500}>
          <bdi>{name}</bdi>
        </Anchor>
        {approvedAt !== null && (
          <Text span size="xs" c="dimmed">
            {" "}
            · Approved
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <SelfRegisteredState state={state} />
      </Table.Td>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        <bdi>{redirectHosts.slice(0, 3).join(", ")}</bdi>
        {redirectHosts.length > 3 && ` and ${redirectHosts.length - 3} more`}
      </Table.Td>
      <Table.Td>{usersText(client)}</Table.Td>
      <Table.Td>{lastUsedAt === null ? "Never" : <Timestamp at={lastUsedAt} brief />}</Table.Td>
      <Table.Td>
        <Timestamp at={createdAt} brief />
      </Table.Td>
    </Table.Tr>
  );
}
