"use client";

import { Alert, Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { FormError } from "@/components/form-error.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { WebhookSecret } from "@/trpc/types.ts";
import { useWebhooksChanged } from "./use-webhooks-changed.ts";

const DAY = 86_400;
const NOW = "0";
const TIMES = [
  { value: NOW, label: "Now" },
  { value: "3600", label: "In 1 hour" },
  { value: String(DAY), label: "In 24 hours" },
  { value: String(7 * DAY), label: "In 7 days" },
];

type Props = { secret: WebhookSecret; last: boolean; reason: string | undefined };

export function EndSecret({ secret, last, reason }: Props) {
  const confirmed = useConfirmed();
  const [opened, dialog] = useDisclosure();
  const open = () => (secret.environment === "production" ? confirmed(dialog.open) : dialog.open());
  return (
    <>
      <Permitted reason={reason}>
        <Button size="compact-xs" variant="subtle" color="red" onClick={open} aria-label={`End the secret that ends with ${secret.hint}`}>
          End
        </Button>
      </Permitted>
      <Modal opened={opened} onClose={dialog.close} title={`End the secret …${secret.hint}?`}>
        <EndSecretForm secret={secret} last={last} close={dialog.close} />
      </Modal>
    </>
  );
}

/** A secret that matched within a day ends now only after its last four characters are typed. CO-58. */
function EndSecretForm({ secret, last, close }: Omit<Props, "reason"> & { close: () => void }) {
  const trpc = useTRPC();
  const changed = useWebhooksChanged();
  const [inUse] = useState(() => secret.lastMatchedAt !== null && Date.now() / 1000 - secret.lastMatchedAt < DAY);
  const [after, setAfter] = useState(inUse ? String(DAY) : NOW);
  const [hint, setHint] = useState("");
  const end = useMutation(
    trpc.webhookSecrets.end.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        close();
        await changed();
      },
    }),
  );
  const mustType = inUse && after === NOW;
  const submit = () => {
    const endsAt = after === NOW ? {} : { endsAt: Math.floor(Date.now() / 1000) + Number(after) };
    end.mutate({ id: secret.id, confirmLast: last, ...endsAt, ...(mustType && { confirmHint: hint.trim() }) });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        {last && (
          <Alert color="red" variant="light">
            This is the only signing secret. Without it, every delivery is rejected.
          </Alert>
        )}
        {inUse && (
          <Text size="sm">It verified a delivery in the last 24 hours. Deliveries signed with it are rejected once it has ended.</Text>
        )}
        <NativeSelect
          label="When"
          data={TIMES}
          value={after}
          onChange={({ currentTarget }) => setAfter(currentTarget.value)}
          data-autofocus
        />
        {mustType && (
          <TextInput
            label={`Type ${secret.hint} to confirm`}
            value={hint}
            onChange={({ currentTarget }) => setHint(currentTarget.value)}
            required
            maxLength={8}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        <FormError error={end.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={end.isPending} disabled={mustType && hint.trim() !== secret.hint}>
            {secret.environment === "production" ? "End secret in production" : "End secret"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
