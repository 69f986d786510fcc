"use client";

import { Box, Group, Text, Title } from "@mantine/core";
import { ENVIRONMENTS, EnvironmentDot } from "@/components/environments.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { OutcomeBadge } from "../outcome-badge.tsx";
import { REASONS } from "../reasons.ts";
import { DeliveryActions } from "./delivery-actions.tsx";
import { Ago } from "./exact-time.tsx";
import { ModeNotice } from "./mode-notice.tsx";
import { WhyInShort } from "./why-it-failed.tsx";

/** What was delivered, whether it was accepted, and why. */
export function DeliveryHeader({ delivery, place }: { delivery: Delivery; place: "page" | "peek" }) {
  const { outcome, environment } = delivery;
  if (place === "page")
    return (
      <>
        <PageFrame
          title={titleOf(delivery)}
          crumbs={SECTION}
          environment={environment}
          facts={
            <Group gap="sm">
              <OutcomeBadge outcome={outcome} />
              <Origin delivery={delivery} />
            </Group>
          }
          actions={<DeliveryActions delivery={delivery} />}
        />
        <Verdict delivery={delivery} />
        <ModeNotice delivery={delivery} />
      </>
    );
  return (
    <header>
      <Group justify="space-between" align="flex-start" gap="md">
        <Box style={{ flex: "1 1 18rem", minWidth: 0 }}>
          <Group gap="sm" align="center">
            <Title order={2} size="1.25rem" style={{ overflowWrap: "anywhere" }}>
              {titleOf(delivery)}
            </Title>
            <OutcomeBadge outcome={outcome} />
          </Group>
          <Origin delivery={delivery} />
        </Box>
        <DeliveryActions delivery={delivery} />
      </Group>
      <Verdict delivery={delivery} />
      <ModeNotice delivery={delivery} />
    </header>
  );
}

const SECTION = [{ label: "Deliveries", href: "/deliveries" }];

/** What a delivery is called: its event's type, where it has one. */
const titleOf = ({ eventType, providerName }: Delivery): string => eventType ?? `Delivery from ${providerName}`;

function Origin({ delivery: { providerName, environment, receivedAt } }: { delivery: Delivery }) {
  return (
    <Text size="sm" c="dimmed" mt={4}>
      {providerName} · <EnvironmentDot environment={environment} /> {ENVIRONMENTS[environment].label} ·{" "}
      <Timestamp at={receivedAt} seconds />
      <Ago at={receivedAt} />
    </Text>
  );
}

function Verdict({ delivery: { id, outcome, reason } }: { delivery: Delivery }) {
  const { title, text } = REASONS[reason];
  return (
    <Box className="delivery-verdict" data-outcome={outcome} mt="md">
      <Text size="sm" fw={600}>
        {title} <code className="reason-code">{reason}</code>
      </Text>
      <Text size="sm" mt={2}>
        {outcome === "rejected" ? <WhyInShort id={id} otherwise={text} /> : text}
      </Text>
    </Box>
  );
}
