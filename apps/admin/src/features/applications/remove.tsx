"use client";

import { Button, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Application, ClientView } from "@/trpc/types.ts";
import { useApplicationChanged } from "./use-application-changed.ts";

export function RemoveApplication({ application, reason }: { application: Application; reason: string | undefined }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const remove = useMutation(
    trpc.applications.remove.mutationOptions({
      async onSuccess() {
        router.push("/applications");
        await queries.invalidateQueries(trpc.applications.list.infiniteQueryFilter());
        notifications.show({ message: `${application.name} is removed.` });
      },
    }),
  );
  const ask = () =>
    modals.openConfirmModal({
      title: `Remove ${application.name}?`,
      children: (
        <Text size="sm">
          {application.clients.length > 0 && "Its clients, their secrets and every token they hold stop working at once. "}This cannot be
          undone.
        </Text>
      ),
      labels: { confirm: "Remove application", cancel: "Keep it" },
      confirmProps: { color: "red" },
      onConfirm: () => remove.mutate({ id: application.id }),
    });
  return (
    <Permitted reason={reason}>
      <Button
        color="red"
        variant="subtle"
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        loading={remove.isPending}
        onClick={ask}
      >
        Remove application
      </Button>
    </Permitted>
  );
}

export function RemoveClient({ client, reason }: { client: ClientView; reason: string | undefined }) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const { label } = ENVIRONMENTS[client.environment];
  const remove = useMutation(trpc.clients.remove.mutationOptions({ onSuccess: changed }));
  const ask = () =>
    modals.openConfirmModal({
      title: `Remove the ${label.toLowerCase()} client?`,
      children: <Text size="sm">Its secrets and every token it holds stop working at once, and its client id is gone for good.</Text>,
      labels: { confirm: "Remove client", cancel: "Keep it" },
      confirmProps: { color: "red" },
      onConfirm: () => remove.mutate({ clientId: client.clientId }),
    });
  return (
    <Permitted reason={reason}>
      <Button color="red" variant="light" loading={remove.isPending} onClick={ask}>
        Remove client
      </Button>
    </Permitted>
  );
}
