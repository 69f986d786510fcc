"use client";

import { Button, Group, NativeSelect, Paper, Stack, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useCanManage } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientView } from "@/trpc/types.ts";
import { showSecret } from "./secret-dialog.tsx";

const MAX_ACTIVE_SECRETS = 2;

/** The active secrets of a confidential client. It can have two at once, to rotate them without downtime. */
export function ClientSecrets({ client }: { client: ClientView }) {
  const { hide, reason } = useCanManage(client.environment);
  const full = client.secrets.length >= MAX_ACTIVE_SECRETS ? "A client can have two active secrets. Retire one first." : undefined;
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2} size="h4">
            Secrets
          </Title>
          <Text size="sm" c="dimmed">
            To rotate, add a second secret, deploy it, then retire the first.
          </Text>
        </div>
        {!hide && <AddSecret client={client} reason={reason ?? full} />}
      </Group>
      {client.secrets.length === 0 ? (
        <Text size="sm">No active secrets. This client can’t authenticate until you add one.</Text>
      ) : (
        <Table.ScrollContainer minWidth={560} scrollAreaProps={{ offsetScrollbars: false }}>
          <Table verticalSpacing="xs" aria-label="Secrets" className="card-table">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Ends with</Table.Th>
                <Table.Th>Created</Table.Th>
                <Table.Th>Last used</Table.Th>
                <Table.Th>Expires</Table.Th>
                {!hide && (
                  <Table.Th>
                    <VisuallyHidden>Actions</VisuallyHidden>
                  </Table.Th>
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {client.secrets.map((secret) => (
                <Table.Tr key={secret.id}>
                  <Table.Td>
                    <code>{secret.hint || "Unknown"}</code>
                  </Table.Td>
                  <Table.Td>
                    <Timestamp at={secret.createdAt} />
                  </Table.Td>
                  <Table.Td>{secret.lastUsedAt === null ? "Never" : <Timestamp at={secret.lastUsedAt} />}</Table.Td>
                  <Table.Td>{secret.expiresAt === null ? "Never" : <Timestamp at={secret.expiresAt} />}</Table.Td>
                  {!hide && (
                    <Table.Td ta="right">
                      <RetireSecret client={client} secretId={secret.id} reason={reason} />
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}

function AddSecret({ client, reason }: { client: ClientView; reason: string | undefined }) {
  const open = () => {
    const modalId = modals.open({
      title: "Add a secret",
      children: <AddSecretForm client={client} close={() => modals.close(modalId)} />,
    });
  };
  return (
    <Permitted reason={reason}>
      <Button variant="default" size="xs" onClick={open}>
        Add secret
      </Button>
    </Permitted>
  );
}

const CURRENT_SECRET_LIFETIMES = [
  { value: "", label: "Until you retire it" },
  { value: "3600", label: "For 1 hour" },
  { value: "86400", label: "For 1 day" },
  { value: "604800", label: "For 1 week" },
];

function AddSecretForm({ client, close }: { client: ClientView; close: () => void }) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const [lifetime, setLifetime] = useState("");
  const add = useMutation(
    trpc.clients.addSecret.mutationOptions({
      async onSuccess({ secret }) {
        close();
        showSecret(secret);
        await changed();
      },
    }),
  );
  const { clientId, secrets } = client;
  return (
    <Stack>
      <Text size="sm">Gatehouse generates a new secret and shows it once.</Text>
      {secrets.length > 0 && (
        <NativeSelect
          label="Keep the current secret active"
          data={CURRENT_SECRET_LIFETIMES}
          value={lifetime}
          onChange={({ currentTarget }) => setLifetime(currentTarget.value)}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          data-autofocus
          loading={add.isPending}
          onClick={() => add.mutate({ clientId, ...(lifetime === "" ? {} : { expiresInSeconds: Number(lifetime) }) })}
        >
          Generate secret
        </Button>
      </Group>
    </Stack>
  );
}

function RetireSecret({ client, secretId, reason }: { client: ClientView; secretId: string; reason: string | undefined }) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const retire = useMutation(trpc.clients.retireSecret.mutationOptions({ onSuccess: changed }));
  const last = client.secrets.length === 1;
  const ask = () =>
    modals.openConfirmModal({
      title: "Retire this secret?",
      children: (
        <Text size="sm">
          {last
            ? "This is the only active secret. The client can’t authenticate until you add another one."
            : "Requests that use it are rejected from now on."}
        </Text>
      ),
      labels: { confirm: "Retire", cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => retire.mutate({ clientId: client.clientId, secretId, confirmLast: last }),
    });
  return (
    <Permitted reason={reason}>
      <Button size="compact-xs" variant="subtle" color="red" loading={retire.isPending} onClick={ask}>
        Retire
      </Button>
    </Permitted>
  );
}
