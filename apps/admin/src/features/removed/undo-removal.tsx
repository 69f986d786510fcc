"use client";

import { Alert, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { RestoreButton } from "./restore-button.tsx";

/** On the page that the user sees after removing something, which is in the URL as `removed`: what it was, and Undo. CO-78. */
export function UndoRemoval() {
  const id = useSearchParams().get("removed");
  return id === null ? null : <Notice key={id} id={id} />;
}

function Notice({ id }: { id: string }) {
  const router = useRouter();
  const { data: removed } = useQuery(useTRPC().removed.get.queryOptions({ id }));
  if (!removed) return null;
  const { kind, name, environment, restorableUntil } = removed;
  return (
    <Alert variant="light" color="gray" mb="md" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          <bdi>{name}</bdi> is removed{kind === "client" && environment && ` from ${ENVIRONMENTS[environment].label.toLowerCase()}`}. You
          can restore it until <Timestamp at={restorableUntil} />.
        </Text>
        <RestoreButton removed={removed} label="Undo" restored={(href) => router.push(href)} />
      </Group>
    </Alert>
  );
}
