"use client";

import { Table, Text } from "@mantine/core";
import { IconShieldOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { EmptyState, LoadError, RowsSkeleton } from "@/components/state.tsx";
import { SimpleTable } from "@/components/table/simple-table.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientBlock } from "@/trpc/types.ts";
import { LiftBlock } from "./lift-block.tsx";

const KINDS: Record<ClientBlock["kind"], string> = {
  client_id: "Client",
  document_host: "Host",
  software_id: "Software id",
};

/** The blocks in force, each with the way to lift it. */
export function BlockList() {
  const blocks = useQuery(useTRPC().clientBlocks.list.queryOptions());
  if (blocks.isPending) return <RowsSkeleton rows={3} height={44} />;
  if (blocks.data === undefined) return <LoadError error={blocks.error} retry={blocks.refetch} />;
  if (blocks.data.length === 0)
    return (
      <EmptyState icon={<IconShieldOff size={26} />} title="Nothing is blocked">
        Block a client, the host of its metadata document or its software id from the other tabs.
      </EmptyState>
    );
  return (
    <SimpleTable label="Blocks" columns={["Blocked", "Reason", "Since", "Until", "Actions"]}>
      {blocks.data.map((block) => (
        <Row key={`${block.kind} ${block.value}`} block={block} />
      ))}
    </SimpleTable>
  );
}

function Row({ block: { kind, value, reason, createdAt, expiresAt } }: { block: ClientBlock }) {
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        <bdi>{value}</bdi>
        <Text size="xs" c="dimmed">
          {KINDS[kind]}
        </Text>
      </Table.Td>
      <Table.Td>
        <bdi>{reason}</bdi>
      </Table.Td>
      <Table.Td>
        <Timestamp at={createdAt} brief />
      </Table.Td>
      <Table.Td>{expiresAt === null ? "Until lifted" : <Timestamp at={expiresAt} brief />}</Table.Td>
      <Table.Td>
        <LiftBlock target={{ kind, value }} />
      </Table.Td>
    </Table.Tr>
  );
}
