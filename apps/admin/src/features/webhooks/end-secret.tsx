"use client";

import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { EndSecretForm } from "@/components/end-secret-form.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { WebhookSecret } from "@/trpc/types.ts";
import { useWebhooksChanged } from "./use-webhooks-changed.ts";

const DAY = 86_400;

type Props = { secret: WebhookSecret; last: boolean; reason: string | undefined };

export function EndSecret({ secret, last, reason }: Props) {
  const confirmed = useConfirmed();
  const [opened, dialog] = useDisclosure();
  const open = () => (secret.environment === "production" ? confirmed(dialog.open) : dialog.open());
  return (
    <>
      <Permitted reason={reason}>
        <Button
          size="compact-xs"
          variant="subtle"
          color="red"
          onClick={open}
          aria-label={`End the secret …${secret.hint}`}
        >
          End
        </Button>
      </Permitted>
      <Modal opened={opened} onClose={dialog.close} title={`End the secret …${secret.hint}?`}>
        <Ending secret={secret} last={last} close={dialog.close} />
      </Modal>
    </>
  );
}

function Ending({ secret, last, close }: Omit<Props, "reason"> & { close: () => void }) {
  const trpc = useTRPC();
  const changed = useWebhooksChanged();
  const [usedRecently] = useState(
    () => secret.lastMatchedAt !== null && Date.now() / 1000 - secret.lastMatchedAt < DAY,
  );
  const end = useMutation(
    trpc.webhookSecrets.end.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        close();
        await changed();
      },
    }),
  );
  return (
    <EndSecretForm
      hint={secret.hint}
      usedRecently={usedRecently}
      warning={last ? "No other signing secret stays. Without one, every delivery is rejected." : undefined}
      consequence="It verified a delivery in the last 24 hours. Deliveries signed with it are rejected once it has ended."
      action={secret.environment === "production" ? "End secret in production" : "End secret"}
      pending={end.isPending}
      error={end.error}
      close={close}
      end={(afterSeconds, confirmHint) => {
        const endsAt = afterSeconds === 0 ? {} : { endsAt: Math.floor(Date.now() / 1000) + afterSeconds };
        end.mutate({ id: secret.id, confirmLast: last, ...endsAt, ...(confirmHint !== undefined && { confirmHint }) });
      }}
    />
  );
}
