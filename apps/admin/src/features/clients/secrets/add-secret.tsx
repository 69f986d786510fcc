"use client";

import { Button, Group, Modal, NativeSelect, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { FormError } from "@/components/form-error.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientView } from "@/trpc/types.ts";
import { showSecret } from "../secret-dialog.tsx";

/** `first`: the client has no live secret. */
type Props = { client: ClientView; first: boolean; reason: string | undefined };

export function AddSecret({ client, first, reason }: Props) {
  const confirmed = useConfirmed();
  const [opened, dialog] = useDisclosure();
  const open = () => (client.environment === "production" ? confirmed(dialog.open) : dialog.open());
  return (
    <>
      <Permitted reason={reason}>
        <Button variant="default" size="xs" onClick={open}>
          Add secret
        </Button>
      </Permitted>
      <Modal opened={opened} onClose={dialog.close} title="Add a secret">
        <AddSecretForm client={client} first={first} close={dialog.close} />
      </Modal>
    </>
  );
}

const CURRENT_SECRET_LIFETIMES = [
  { value: "", label: "Until you retire it" },
  { value: "3600", label: "For 1 hour" },
  { value: "86400", label: "For 1 day" },
  { value: "604800", label: "For 1 week" },
];

function AddSecretForm({ client, first, close }: Omit<Props, "reason"> & { close: () => void }) {
  const { clientId, environment } = client;
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const [lifetime, setLifetime] = useState("");
  const add = useMutation(
    trpc.clients.addSecret.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ secret }) {
        close();
        showSecret(secret, client);
        await changed();
      },
    }),
  );
  return (
    <Stack>
      <Text size="sm">Gatehouse generates a new secret and shows it once.</Text>
      {!first && (
        <NativeSelect
          label="Keep the current secret active"
          data={CURRENT_SECRET_LIFETIMES}
          value={lifetime}
          onChange={({ currentTarget }) => setLifetime(currentTarget.value)}
        />
      )}
      <FormError error={add.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          data-autofocus
          loading={add.isPending}
          onClick={() => add.mutate({ clientId, ...(lifetime === "" ? {} : { expiresInSeconds: Number(lifetime) }) })}
        >
          {environment === "production" ? "Generate secret in production" : "Generate secret"}
        </Button>
      </Group>
    </Stack>
  );
}
