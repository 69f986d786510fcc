"use client";

import { Button, Group, Modal, NumberInput, Stack, Table, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CopyValue } from "@/components/copy-value.tsx";
import { FormError } from "@/components/form-error.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { SimpleTable } from "@/components/table/simple-table.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { UntilPageHides } from "@/components/until-page-hides.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { RegistrationToken } from "@/trpc/types.ts";
import { useSelfRegisteredChanged } from "./use-self-registered-changed.ts";

const DAY = 86_400;

/** Tokens that let their holder register clients, and the limits that hold without one. RFC 7591 §3. */
export function RegistrationTokens() {
  const tokens = useQuery(useTRPC().registrationTokens.list.queryOptions());
  const [creating, dialog] = useDisclosure();
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start">
        <Text size="sm" c="dimmed" maw={640}>
          A token lets its holder register clients while registration is limited to tokens. Limits in any case: 60
          registrations and 120 fetched documents an hour from one address, and 1,000 clients that wait for their first
          user.
        </Text>
        <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={dialog.open}>
          New registration token
        </Button>
      </Group>
      {tokens.isPending && <RowsSkeleton rows={3} height={44} />}
      {tokens.isError && tokens.data === undefined && <LoadError error={tokens.error} retry={tokens.refetch} />}
      {tokens.data?.length === 0 && <Text size="sm">No registration tokens.</Text>}
      {tokens.data && tokens.data.length > 0 && (
        <SimpleTable label="Registration tokens" columns={["For", "Uses left", "Created", "Expires", "Actions"]}>
          {tokens.data.map((token) => (
            <Row key={token.id} token={token} />
          ))}
        </SimpleTable>
      )}
      <Modal opened={creating} onClose={dialog.close} title="New registration token">
        <NewToken close={dialog.close} />
      </Modal>
    </Stack>
  );
}

function Row({ token: { id, name, remaining, createdAt, expiresAt } }: { token: RegistrationToken }) {
  const changed = useSelfRegisteredChanged();
  const revoke = useMutation(useTRPC().registrationTokens.revoke.mutationOptions({ onSuccess: changed }));
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td>{remaining ?? "Any number"}</Table.Td>
      <Table.Td>
        <Timestamp at={createdAt} brief />
      </Table.Td>
      <Table.Td>{expiresAt === null ? "Never" : <Timestamp at={expiresAt} brief />}</Table.Td>
      <Table.Td>
        <Button
          size="compact-xs"
          variant="subtle"
          color="red"
          loading={revoke.isPending}
          onClick={() => revoke.mutate({ id })}
          aria-label={`Revoke ${name}`}
        >
          Revoke
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

/** The token is in this dialog only, and gone when it closes. */
function NewToken({ close }: { close: () => void }) {
  const changed = useSelfRegisteredChanged();
  const [name, setName] = useState("");
  const [uses, setUses] = useState<string | number>(1);
  const [days, setDays] = useState<string | number>(7);
  const create = useMutation(
    useTRPC().registrationTokens.create.mutationOptions({
      meta: { errorShownInForm: true },
      gcTime: 0,
      onSuccess: changed,
    }),
  );
  if (create.data)
    return (
      <Stack>
        <Text size="sm">Copy the token now. It isn’t stored, so it can’t be shown again.</Text>
        <UntilPageHides>
          <CopyValue value={create.data.token} what="token" testId="registration-token" />
        </UntilPageHides>
        <Group justify="flex-end">
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ name, uses: Number(uses), expiresInSeconds: Number(days) * DAY });
      }}
    >
      <Stack>
        <TextInput
          label="For"
          placeholder="Partner team"
          required
          maxLength={100}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          data-autofocus
        />
        <NumberInput label="Clients it can register" min={1} max={10_000} value={uses} onChange={setUses} />
        <NumberInput label="Valid for, in days" min={1} max={365} value={days} onChange={setDays} />
        <FormError error={create.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
