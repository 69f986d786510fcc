"use client";

import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { EndSecretForm } from "@/components/end-secret-form.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientSecret, ClientView } from "@/trpc/types.ts";
import { ImpactNote } from "../impact.tsx";

export type LastSecret = "only" | "without_end" | null;
type Props = { client: ClientView; secret: ClientSecret; last: LastSecret; reason: string | undefined };

const WARNINGS = {
  only: "This is the only active secret. The client can’t authenticate without it.",
  without_end: "An end is set for the other active secret too. After both have ended, the client can’t authenticate.",
} as const;

/** Retires a secret, now or later. CO-33. */
export function RetireSecret({ client, secret, last, reason }: Props) {
  const confirmed = useConfirmed();
  const [opened, dialog] = useDisclosure();
  const open = () => (client.environment === "production" ? confirmed(dialog.open) : dialog.open());
  return (
    <>
      <Permitted reason={reason}>
        <Button size="compact-xs" variant="subtle" color="red" onClick={open}>
          Retire
        </Button>
      </Permitted>
      <Modal opened={opened} onClose={dialog.close} title={`Retire the secret …${secret.hint}?`}>
        <Retiring client={client} secret={secret} last={last} close={dialog.close} />
      </Modal>
    </>
  );
}

function Retiring({
  client: { clientId, environment },
  secret,
  last,
  close,
}: Omit<Props, "reason"> & { close: () => void }) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const { id: secretId, hint, usedRecently } = secret;
  const retire = useMutation(
    trpc.clients.retireSecret.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(_, { expiresInSeconds = 0 }) {
        close();
        toastChanged(
          expiresInSeconds === 0
            ? `Secret …${hint} retired.`
            : `Secret …${hint} will end. You can cancel that until then.`,
        );
        await changed();
      },
    }),
  );
  return (
    <EndSecretForm
      hint={hint}
      usedRecently={usedRecently}
      stopsProduction={last !== null && environment === "production"}
      warning={last === null ? undefined : WARNINGS[last]}
      consequence="It was used in the last 24 hours. Requests that use it are rejected once it has ended."
      action={environment === "production" ? "Retire secret in production" : "Retire secret"}
      impact={<ImpactNote clientId={clientId} change={{ kind: "retire_secret", secretId }} />}
      pending={retire.isPending}
      error={retire.error}
      close={close}
      end={(expiresInSeconds, confirmHint) =>
        retire.mutate({
          clientId,
          secretId,
          confirmLast: last !== null,
          expiresInSeconds,
          ...(confirmHint !== undefined && { confirmHint }),
        })
      }
    />
  );
}

/** Calls off the end of a secret. CO-33, CO-78. */
export function CallOffEnd({ client, secret, reason }: Omit<Props, "last">) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const confirmed = useConfirmed();
  const keep = useMutation(
    trpc.clients.keepSecret.mutationOptions({
      async onSuccess() {
        toastChanged(`Secret …${secret.hint} stays active.`);
        await changed();
      },
    }),
  );
  const act = () => keep.mutate({ clientId: client.clientId, secretId: secret.id });
  return (
    <Permitted reason={reason}>
      <Button
        size="compact-xs"
        variant="subtle"
        loading={keep.isPending}
        onClick={() => (client.environment === "production" ? confirmed(act) : act())}
      >
        Call off
      </Button>
    </Permitted>
  );
}
