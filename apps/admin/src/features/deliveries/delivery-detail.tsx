"use client";

import { Alert, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { IconCircleCheck, IconCircleX, IconCopyCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CopyValue } from "@/components/copy-value.tsx";
import { Instant } from "@/components/instant.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { size } from "./delivery-table.tsx";
import { DeliveryTimeline } from "./delivery-timeline.tsx";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { Payload } from "./payload.tsx";
import { OUTCOMES, VERDICTS } from "./verdicts.ts";

const ICONS = { accepted: IconCircleCheck, duplicate: IconCopyCheck, rejected: IconCircleX };

/** One delivery: the verdict in words, what was sent, and what was done when. */
export function DeliveryDetail({ delivery }: { delivery: Delivery }) {
  const { outcome, reason, eventType, provider } = delivery;
  const { title, text } = VERDICTS[reason];
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
            Reason <code>{reason}</code>
          </Text>
        </Alert>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <Facts delivery={delivery} />
          <Paper withBorder p="lg">
            <Title order={2} size="h4" mb="md">
              What happened
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

function Facts({ delivery }: { delivery: Delivery }) {
  const { id, provider, eventId, address, bodyBytes, method, secretHint, receivedAt } = delivery;
  return (
    <Paper withBorder p="lg">
      <Title order={2} size="h4" mb="md">
        Facts
      </Title>
      <Stack gap="xs" component="dl" m={0}>
        <Fact label="Received">
          <Instant at={receivedAt} seconds />
        </Fact>
        <Fact label="Provider">{provider}</Fact>
        <Fact label="Event id">{eventId === null ? "none" : <CopyValue value={eventId} what="event id" />}</Fact>
        <Fact label="Delivery id">
          <CopyValue value={id} what="delivery id" />
        </Fact>
        <Fact label="Method">{method}</Fact>
        <Fact label="Size">{size(bodyBytes)}</Fact>
        <Fact label="Source">{address ?? "unknown"}</Fact>
        <Fact label="Signed with">{secretHint === null ? "no secret of ours" : `the secret ending in ${secretHint}`}</Fact>
      </Stack>
    </Paper>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
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
      {names.length === 0 && <Text size="sm">None were kept.</Text>}
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
