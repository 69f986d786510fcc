import { Center, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Mark } from "./mark.tsx";

/** A page outside the console's frame, with one message and one or two actions. */
export function MessagePage({ title, children, actions }: { title: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={440}>
        <Stack gap="md">
          <Group gap={8}>
            <Mark />
            <Text fw={650}>Gatehouse</Text>
          </Group>
          <Title order={1} size="h3">
            {title}
          </Title>
          <Text c="dimmed">{children}</Text>
          {actions && <Group gap="sm">{actions}</Group>}
        </Stack>
      </Paper>
    </Center>
  );
}
