"use client";

import { Box, Group, Text, Title } from "@mantine/core";
import { ENVIRONMENTS, EnvironmentDot } from "@/components/environments.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { OutcomeBadge } from "../outcome-badge.tsx";
import { REASONS } from "../reasons.ts";
import { DeliveryActions } from "./delivery-actions.tsx";
import { Ago } from "./exact-time.tsx";
import { WhyInShort } from "./why-it-failed.tsx";

/** What was delivered, whether it was accepted, and why. */
export function DeliveryHeader({ delivery, place }: { delivery: Delivery; place: "page" | "peek" }) {
  const { id, outcome, reason, eventType, providerName, environment, receivedAt } = delivery;
  const { title, text } = REASONS[reason];
  return (
    <header className="delivery-header">
      <Group justify="space-between" align="flex-start" gap="md">
        <Box style={{ flex: "1 1 18rem", minWidth: 0 }}>
          <Group gap="sm" align="center">
            <Title order={place === "page" ? 1 : 2} size="1.25rem" style={{ overflowWrap: "anywhere" }}>
              {eventType ?? `Delivery from ${providerName}`}
            </Title>
            <OutcomeBadge outcome={outcome} />
          </Group>
          <Text size="sm" c="dimmed" mt={4}>
            {providerName} · <EnvironmentDot environment={environment} /> {ENVIRONMENTS[environment].label} ·{" "}
            <Timestamp at={receivedAt} seconds />
            <Ago at={receivedAt} />
          </Text>
        </Box>
        <DeliveryActions delivery={delivery} />
      </Group>
      <Box className="delivery-verdict" data-outcome={outcome} mt="md">
        <Text size="sm" fw={600}>
          {title} <code className="reason-code">{reason}</code>
        </Text>
        <Text size="sm" mt={2}>
          {outcome === "rejected" ? <WhyInShort id={id} otherwise={text} /> : text}
        </Text>
      </Box>
    </header>
  );
}
