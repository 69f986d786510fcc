"use client";

import { Alert, Box, Button, Center, Paper, Skeleton, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { messageOf } from "@/trpc/errors.ts";

/** Says that there is nothing to show, and what to do next. */
export function EmptyState(props: { icon: ReactNode; title: ReactNode; children: ReactNode; action?: ReactNode }) {
  const { icon, title, children, action } = props;
  return (
    <Paper withBorder p="xl" radius="md">
      <Center mih={220}>
        <Stack align="center" gap="sm" maw={440} ta="center">
          <ThemeIcon size={52} radius="xl" variant="light" aria-hidden="true">
            {icon}
          </ThemeIcon>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text c="dimmed" size="sm">
            {children}
          </Text>
          {action && <Box mt="xs">{action}</Box>}
        </Stack>
      </Center>
    </Paper>
  );
}

/** Says why loading failed, with a retry button. */
export function LoadError({ error, retry }: { error: unknown; retry: () => unknown }) {
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title="Couldn’t load this"
      role="alert"
    >
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{messageOf(error)}</Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden="true" />}
          onClick={() => retry()}
        >
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

/** Placeholder rows. */
export function RowsSkeleton({ rows = 5, height = 64 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="sm" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  );
}
