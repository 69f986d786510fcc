"use client";

import { Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Timestamp } from "@/components/timestamp.tsx";
import { SHOWN_NEWEST } from "@/features/users/newest.ts";
import { useTRPC } from "@/trpc/client.tsx";

/** The newest refused requests with the user's codes, tokens and sessions; nothing if there are none. CO-62. */
export function UserFailures({ userId }: { userId: string }) {
  const { data } = useQuery(useTRPC().refusals.list.queryOptions({ userId, limit: SHOWN_NEWEST }));
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            Refused requests
          </Title>
          <Anchor component={Link} href={`/failures?${new URLSearchParams({ tab: "all", userId })}`} size="sm">
            All of them
          </Anchor>
        </Group>
        {data.items.map(({ errorId, explanation, client, at }) => (
          <div key={errorId}>
            <Anchor
              component={Link}
              href={`/failures/${encodeURIComponent(errorId)}`}
              size="sm"
              c="inherit"
              underline="hover"
            >
              {explanation}
            </Anchor>
            <Text size="sm" c="dimmed">
              {client?.applicationName != null && `${client.applicationName} · `}
              <code>{errorId}</code> · <Timestamp at={at} />
            </Text>
          </div>
        ))}
      </Stack>
    </Paper>
  );
}
