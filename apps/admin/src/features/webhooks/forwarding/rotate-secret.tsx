"use client";

import { Button, Group, Modal, NativeSelect, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { inPlace } from "@/components/environments.tsx";
import { FormError } from "@/components/form-error.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { WebhookEndpoint } from "@/trpc/types.ts";
import { useWebhooksChanged } from "../use-webhooks-changed.ts";
import { showForwardingSecret } from "./show-forwarding-secret.ts";

const OVERLAPS = [
  { value: "3600", label: "For 1 hour" },
  { value: "86400", label: "For 1 day" },
  { value: "604800", label: "For 1 week" },
  { value: "0", label: "No longer: it may be known to others" },
];

type Props = { endpoint: WebhookEndpoint; reason: string | undefined };

export function RotateSecret({ endpoint, reason }: Props) {
  const confirmed = useConfirmed();
  const [opened, dialog] = useDisclosure();
  const open = () => (endpoint.environment === "production" ? confirmed(dialog.open) : dialog.open());
  return (
    <>
      <Permitted reason={reason}>
        <Button variant="default" size="xs" onClick={open}>
          Rotate secret
        </Button>
      </Permitted>
      <Modal opened={opened} onClose={dialog.close} title="Rotate the forwarding secret">
        <Rotation endpoint={endpoint} close={dialog.close} />
      </Modal>
    </>
  );
}

function Rotation({ endpoint: { slug, environment }, close }: { endpoint: WebhookEndpoint; close: () => void }) {
  const trpc = useTRPC();
  const changed = useWebhooksChanged();
  const [overlap, setOverlap] = useState("86400");
  const rotate = useMutation(
    trpc.webhookEndpoints.rotateForwardingSecret.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ secret }) {
        close();
        showForwardingSecret(secret, slug);
        await changed();
      },
    }),
  );
  return (
    <Stack>
      <Text size="sm">
        Gatehouse makes a new secret and shows it once. Events are signed with both until the old one ends.
      </Text>
      <NativeSelect
        label="Sign with the old secret as well"
        data={OVERLAPS}
        value={overlap}
        onChange={({ currentTarget }) => setOverlap(currentTarget.value)}
        data-autofocus
      />
      <FormError error={rotate.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate({ slug, overlapSeconds: Number(overlap) })}>
          {inPlace("Rotate secret", environment)}
        </Button>
      </Group>
    </Stack>
  );
}
