"use client";

import { Stack, Text } from "@mantine/core";
import { useCanManage } from "@/components/me.tsx";
import type { PanelProps } from "../panel.ts";
import { ReadOnlyNote } from "../read-only-note.tsx";
import { TryClient } from "./try-client.tsx";

export function TryPanel({ client }: PanelProps) {
  const { hide } = useCanManage(client.environment);
  if (hide) {
    return (
      <Text size="sm" c="dimmed">
        Your role can view clients but not run them. Ask an admin for the developer role.
      </Text>
    );
  }
  return (
    <Stack gap="lg">
      <ReadOnlyNote environment={client.environment} />
      <TryClient key={client.clientId} client={client} />
    </Stack>
  );
}
