"use client";

import { Button, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { WebhookEndpoint } from "@/trpc/types.ts";
import { useWebhooksChanged } from "./use-webhooks-changed.ts";

export function RemoveEndpoint({ endpoint: { slug }, reason }: { endpoint: WebhookEndpoint; reason: string | undefined }) {
  const trpc = useTRPC();
  const router = useRouter();
  const changed = useWebhooksChanged();
  const confirmed = useConfirmed();
  const remove = useMutation(
    trpc.webhookEndpoints.remove.mutationOptions({
      async onSuccess() {
        router.push("/webhooks");
        await changed();
      },
    }),
  );
  const ask = () =>
    modals.openConfirmModal({
      title: `Remove ${slug}?`,
      children: <Text size="sm">Its URL stops working and its secrets are deleted. You can’t undo this.</Text>,
      labels: { confirm: "Remove endpoint", cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => remove.mutate({ slug }),
    });
  return (
    <Permitted reason={reason}>
      <Button color="red" variant="light" loading={remove.isPending} onClick={() => confirmed(ask)}>
        Remove endpoint
      </Button>
    </Permitted>
  );
}
