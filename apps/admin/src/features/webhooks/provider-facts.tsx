"use client";

import { Anchor, List, Paper, Text, Title } from "@mantine/core";
import type { WebhookProvider } from "@/trpc/types.ts";

/** What the provider does when a delivery fails, and where its documentation is. */
export function ProviderFacts({ facts }: { facts: WebhookProvider }) {
  const { name, retries, ackTimeoutMs, resendWindowDays, toleranceSeconds, docsUrl } = facts;
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Title order={2} size="h4" mb="xs">
        What {name} does
      </Title>
      <List size="sm" spacing={4}>
        <List.Item>{retries}</List.Item>
        {ackTimeoutMs !== null && <List.Item>It waits {ackTimeoutMs / 1000} seconds for the response.</List.Item>}
        {resendWindowDays !== null && <List.Item>It can send an event again for {resendWindowDays} days.</List.Item>}
        <List.Item>
          {toleranceSeconds === null
            ? "Its signatures have no timestamp. Events that were already received are recognized as duplicates."
            : "Its signatures have a timestamp, so a captured delivery can’t be sent again later."}
        </List.Item>
      </List>
      <Text size="sm" mt="sm">
        <Anchor href={docsUrl} target="_blank" rel="noreferrer noopener" size="sm">
          Documentation ({new URL(docsUrl).host})
        </Anchor>
      </Text>
    </Paper>
  );
}
