"use client";

import { Alert, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { IconCircleCheck, IconCircleX, IconCopyCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CopyValue } from "@/components/copy-value.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { formatBytes } from "./delivery-table.tsx";
import { DeliveryTimeline } from "./delivery-timeline.tsx";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { Payload } from "./payload.tsx";
import { OUTCOMES, REASONS } from "./reasons.ts";

const ICONS = { accepted: IconCircleCheck, duplicate: IconCopyCheck, rejected: IconCircleX };

/** One delivery: the result and its reason, the request, and the timeline. */
export function DeliveryDetail({ delivery }: { delivery: Delivery }) {
  const { outcome, reason, eventType, provider } = delivery;
  const { title, text } = REASONS[reason];
  const Icon = ICONS[outcome];
  return (
    <>
      <PageHeader
        title={eventType ?? `Delivery from ${provider}`}
        back={{ href: "/deliveries", label: "All deliveries" }}
        action={<OutcomeBadge outcome={outcome} />}
      />
      <Stack gap="lg">
        <Alert variant="light" color={OUTCOMES[outcome].color} icon={<Icon aria-hidden="true" />} title={title}>
          <Text size="sm">{text}</Text>
          <Text size="sm" mt={6}>
            Reason code: <code>{reason}</code>
          </Text>
        </Alert>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <Details delivery={delivery} />
          <Paper withBorder p="lg">
            <Title order={2} size="h4" mb="md">
              Timeline
            </Title>
            <DeliveryTimeline delivery={delivery} />
          </Paper>
        </SimpleGrid>
        <Payload delivery={delivery} />
        <Headers headers={delivery.headers} />
      </Stack>
    </>
  );
}

function Details({ delivery }: { delivery: Delivery }) {
  const { id, provider, eventId, address, bodyBytes, method, secretHint, receivedAt } = delivery;
  return (
    <Paper withBorder p="lg">
      <Title order={2} size="h4" mb="md">
        Details
      </Title>
      <Stack gap="xs" component="dl" m={0}>
        <Detail label="Received">
          <Timestamp at={receivedAt} seconds />
        </Detail>
        <Detail label="Provider">{provider}</Detail>
        <Detail label="Event ID">{eventId === null ? "None" : <CopyValue value={eventId} what="event ID" />}</Detail>
        <Detail label="Delivery ID">
          <CopyValue value={id} what="delivery ID" />
        </Detail>
        <Detail label="Method">{method}</Detail>
        <Detail label="Size">{formatBytes(bodyBytes)}</Detail>
        <Detail label="IP address">{address ?? "Unknown"}</Detail>
        <Detail label="Signed with">{secretHint === null ? "No known secret" : `Secret ending in ${secretHint}`}</Detail>
      </Stack>
    </Paper>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group component="div" gap="sm" wrap="nowrap" align="baseline">
      <Text component="dt" size="sm" c="dimmed" w={110} style={{ flexShrink: 0 }}>
        {label}
      </Text>
      <Text component="dd" size="sm" m={0} miw={0} style={{ overflowWrap: "anywhere" }}>
        {children}
      </Text>
    </Group>
  );
}

function Headers({ headers }: { headers: Delivery["headers"] }) {
  const names = Object.keys(headers).sort();
  return (
    <Paper withBorder p="lg">
      <Title order={2} size="h4" mb="md">
        Headers
      </Title>
      {names.length === 0 && <Text size="sm">No headers were stored.</Text>}
      <Table aria-label="Headers" verticalSpacing={6} horizontalSpacing={0}>
        <Table.Tbody>
          {names.map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={500} pr="md" style={{ overflowWrap: "anywhere", width: "35%" }}>
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: "anywhere", fontFamily: "var(--gh-font-mono)", fontSize: "0.8125rem" }}>
                {headers[name]}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
