"use client";

import { Alert, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { RestoreButton } from "./restore-button.tsx";

/** Says what was removed, and until when it can be restored. */
export function RemovalNotice({ id }: { id: string }) {
  const router = useRouter();
  const { data: removed } = useQuery(useTRPC().removed.get.queryOptions({ id }));
  if (!removed) return null;
  const { kind, name, environment, restorableUntil } = removed;
  return (
    <Alert variant="light" color="gray" mb="md" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          <bdi>{name}</bdi> is removed
          {kind === "client" && environment && ` from ${ENVIRONMENTS[environment].label.toLowerCase()}`}. You can
          restore it until <Timestamp at={restorableUntil} />.
        </Text>
        <RestoreButton removed={removed} label="Undo" restored={(href) => router.push(href)} />
      </Group>
    </Alert>
  );
}
