"use client";

import { Anchor, Table, Text } from "@mantine/core";
import { IconRobot } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMe } from "@/components/me.tsx";
import { EmptyState, LoadError, RowsSkeleton } from "@/components/state.tsx";
import { SimpleTable } from "@/components/table/simple-table.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { SelfRegisteredGroup } from "@/trpc/types.ts";
import { BlockButton } from "./block-button.tsx";

/** The clients by who made them: the host of the metadata document, else the software id. */
export function GroupList() {
  const { can } = useMe();
  const groups = useQuery(useTRPC().selfRegistered.groups.queryOptions());
  if (groups.isPending) return <RowsSkeleton rows={4} height={44} />;
  if (groups.data === undefined) return <LoadError error={groups.error} retry={groups.refetch} />;
  if (groups.data.length === 0)
    return (
      <EmptyState icon={<IconRobot size={26} />} title="No self-registered clients">
        MCP clients and other tools that users connect appear here when they first register or sign a user in.
      </EmptyState>
    );
  const columns = [
    "Origin",
    "Clients",
    "Waiting",
    "Blocked",
    "Last token",
    "First seen",
    ...(can.manageProduction ? ["Actions"] : []),
  ];
  return (
    <SimpleTable label="Origins" columns={columns}>
      {groups.data.map((group) => (
        <Table.Tr key={`${group.host} ${group.software}`}>
          <Table.Td>
            <Origin group={group} />
          </Table.Td>
          <Table.Td>{group.clients.toLocaleString("en")}</Table.Td>
          <Table.Td>{group.waiting.toLocaleString("en")}</Table.Td>
          <Table.Td>{group.blocked.toLocaleString("en")}</Table.Td>
          <Table.Td>{group.lastUsedAt === null ? "Never" : <Timestamp at={group.lastUsedAt} brief />}</Table.Td>
          <Table.Td>
            <Timestamp at={group.firstAt} brief />
          </Table.Td>
          {can.manageProduction && (
            <Table.Td>
              {group.host !== null && <BlockButton target={{ kind: "document_host", value: group.host }} />}
              {group.host === null && group.software !== null && (
                <BlockButton target={{ kind: "software_id", value: group.software }} />
              )}
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </SimpleTable>
  );
}

function Origin({ group: { host, software } }: { group: SelfRegisteredGroup }) {
  const [name, kind, filter] =
    host !== null
      ? [host, "Document host", { host }]
      : software !== null
        ? [software, "Software id", { software }]
        : ["Unnamed", "Registered without a software id", undefined];
  return (
    <>
      {filter ? (
        <Anchor
          component={Link}
          href={`/self-registered?${new URLSearchParams({ tab: "clients", ...filter })}`}
          size="sm"
          fw={500}
        >
          <bdi>{name}</bdi>
        </Anchor>
      ) : (
        <Text span size="sm" fw={500}>
          {name}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {kind}
      </Text>
    </>
  );
}
