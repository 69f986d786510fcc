"use client";

import { Button, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useMutation } from "@tanstack/react-query";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { inPlace } from "@/components/environments.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { WebhookEndpoint } from "@/trpc/types.ts";
import { useWebhooksChanged } from "../use-webhooks-changed.ts";

type Props = { endpoint: WebhookEndpoint; reason: string | undefined };

/** Ends the secret as well: starting again makes another one. */
export function StopForwarding({ endpoint: { slug, version, environment }, reason }: Props) {
  const trpc = useTRPC();
  const changed = useWebhooksChanged();
  const confirmed = useConfirmed();
  const stop = useMutation(
    trpc.webhookEndpoints.setForwarding.mutationOptions({
      async onSuccess() {
        toastChanged("Forwarding stopped.");
        await changed();
      },
    }),
  );
  const ask = () =>
    modals.openConfirmModal({
      title: "Stop forwarding?",
      children: (
        <Text size="sm">
          Events that wait for another attempt are not sent any more, and the secret ends. Starting again makes a new
          one.
        </Text>
      ),
      labels: { confirm: inPlace("Stop forwarding", environment), cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => stop.mutate({ slug, version, forward: null }),
    });
  return (
    <Permitted reason={reason}>
      <Button
        variant="default"
        size="xs"
        loading={stop.isPending}
        onClick={() => (environment === "production" ? confirmed(ask) : ask())}
      >
        Stop forwarding
      </Button>
    </Permitted>
  );
}
