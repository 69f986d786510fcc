"use client";

import { Button, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useMutation } from "@tanstack/react-query";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientView } from "@/trpc/types.ts";

export function RemoveClient({ client, reason }: { client: ClientView; reason: string | undefined }) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const { label } = ENVIRONMENTS[client.environment];
  const remove = useMutation(trpc.clients.remove.mutationOptions({ onSuccess: changed }));
  const ask = () =>
    modals.openConfirmModal({
      title: `Remove the ${label.toLowerCase()} client?`,
      children: <Text size="sm">Its secrets and tokens stop working immediately, and its client ID can’t be used again.</Text>,
      labels: { confirm: "Remove client", cancel: "Cancel" },
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
