import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** One action on a page: what it does, and the button for it. */
export function ActionRow({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <Group justify="space-between">
      <div style={{ flex: "1 1 16rem", minWidth: 0 }}>
        <Text fw={500}>{title}</Text>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </div>
      {children}
    </Group>
  );
}
