"use client";

import { Button, Group, NativeSelect, Paper, Stack, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Instant } from "@/components/instant.tsx";
import { useMayManage } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientView } from "@/trpc/types.ts";
import { showSecret } from "./secret-dialog.tsx";
import { useApplicationChanged } from "./use-application-changed.ts";

const MAX_LIVE = 2;

/** The live secrets of a confidential client. Two may live at once, so that one can follow the other without downtime. */
export function ClientSecrets({ client }: { client: ClientView }) {
  const { hide, reason } = useMayManage(client.environment);
  const full = client.secrets.length >= MAX_LIVE ? "Two secrets are live. Retire one first." : undefined;
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2} size="h4">
            Secrets
          </Title>
          <Text size="sm" c="dimmed">
            To rotate: add a second one, deploy it, then retire the first.
          </Text>
        </div>
        {!hide && <AddSecret client={client} reason={reason ?? full} />}
      </Group>
      {client.secrets.length === 0 ? (
        <Text size="sm">No live secret: this client cannot authenticate until you add one.</Text>
      ) : (
        <Table.ScrollContainer minWidth={560} scrollAreaProps={{ offsetScrollbars: false }}>
          <Table verticalSpacing="xs" aria-label="Live secrets">
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
                    <code>{secret.hint || "not kept"}</code>
                  </Table.Td>
                  <Table.Td>
                    <Instant at={secret.createdAt} />
                  </Table.Td>
                  <Table.Td>{secret.lastUsedAt === null ? "never" : <Instant at={secret.lastUsedAt} />}</Table.Td>
                  <Table.Td>{secret.expiresAt === null ? "never" : <Instant at={secret.expiresAt} />}</Table.Td>
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

const OLD_ONE = [
  { value: "", label: "until you retire it" },
  { value: "3600", label: "for one hour" },
  { value: "86400", label: "for one day" },
  { value: "604800", label: "for one week" },
];

function AddSecretForm({ client, close }: { client: ClientView; close: () => void }) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const [oldFor, setOldFor] = useState("");
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
      <Text size="sm">A new secret is made and shown once.</Text>
      {secrets.length > 0 && (
        <NativeSelect
          label="The present secret keeps working"
          data={OLD_ONE}
          value={oldFor}
          onChange={({ currentTarget }) => setOldFor(currentTarget.value)}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          data-autofocus
          loading={add.isPending}
          onClick={() => add.mutate({ clientId, ...(oldFor === "" ? {} : { expiresInSeconds: Number(oldFor) }) })}
        >
          Make secret
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
            ? "It is the only one: from now on this client cannot authenticate until you add another."
            : "Whoever still uses it is refused from now on."}
        </Text>
      ),
      labels: { confirm: "Retire", cancel: "Keep it" },
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
