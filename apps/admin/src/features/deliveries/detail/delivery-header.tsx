"use client";

import { Box, Group, Text, Title } from "@mantine/core";
import { Timestamp } from "@/components/timestamp.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { OutcomeBadge } from "../outcome-badge.tsx";
import { REASONS } from "../reasons.ts";

/** What was delivered, whether it was accepted, and why. */
export function DeliveryHeader({ delivery, place }: { delivery: Delivery; place: "page" | "peek" }) {
  const { outcome, reason, eventType, provider, receivedAt } = delivery;
  const { title, text } = REASONS[reason];
  return (
    <header className="delivery-header">
      <Group gap="sm" align="center">
        <Title order={place === "page" ? 1 : 2} size="1.25rem" style={{ overflowWrap: "anywhere" }}>
          {eventType ?? `Delivery from ${provider}`}
        </Title>
        <OutcomeBadge outcome={outcome} />
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {provider} · <Timestamp at={receivedAt} seconds />
      </Text>
      <Box className="delivery-verdict" data-outcome={outcome} mt="md">
        <Text size="sm" fw={600}>
          {title} <code className="reason-code">{reason}</code>
        </Text>
        <Text size="sm" mt={2}>
          {text}
        </Text>
      </Box>
    </header>
  );
}
