"use client";

import { Button, Group, Modal, NativeSelect, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { FormError } from "@/components/form-error.tsx";
import { LoadError } from "@/components/state.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { useSelfRegisteredChanged } from "./use-self-registered-changed.ts";

const DAYS = [7, 30, 60, 90].map((days) => ({ value: String(days), label: `${days} days` }));

/** Deletes clients that got no token for a while, after showing which and how many users they have. CO-61. */
export function PruneIdle() {
  const confirmed = useConfirmed();
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={() => confirmed(dialog.open)}>
        Prune idle
      </Button>
      <Modal opened={asking} onClose={dialog.close} title="Prune idle clients">
        <PruneForm close={dialog.close} />
      </Modal>
    </>
  );
}

function PruneForm({ close }: { close: () => void }) {
  const trpc = useTRPC();
  const changed = useSelfRegisteredChanged();
  const [idleDays, setIdleDays] = useState(30);
  const impact = useQuery(trpc.selfRegistered.idle.queryOptions({ idleDays }));
  const prune = useMutation(
    trpc.selfRegistered.prune.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ deleted, more }) {
        toastChanged(`Deleted ${deleted} idle clients.${more ? " There are more: prune again." : ""}`);
        await changed();
        if (!more) close();
      },
    }),
  );
  const count = impact.data?.clients ?? 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        prune.mutate({ idleDays });
      }}
    >
      <Stack>
        <NativeSelect
          label="Without a token for"
          data={DAYS}
          value={String(idleDays)}
          onChange={({ currentTarget }) => setIdleDays(Number(currentTarget.value))}
          data-autofocus
        />
        {impact.isError && <LoadError error={impact.error} retry={impact.refetch} />}
        {impact.data && (
          <div data-testid="impact">
            <Text size="sm">
              {impact.data.more ? "1,000+" : count} {count === 1 ? "client is" : "clients are"} deleted.{" "}
              {impact.data.users} {impact.data.users === 1 ? "user" : "users"} allowed them. A client can register
              again, and its users are asked again.
            </Text>
            <ul style={{ margin: "8px 0 0", paddingInlineStart: 20, fontSize: 13, overflowWrap: "anywhere" }}>
              {impact.data.first.map(({ clientId, name }) => (
                <li key={clientId}>
                  <bdi>{name}</bdi>
                </li>
              ))}
            </ul>
          </div>
        )}
        <FormError error={prune.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={prune.isPending} disabled={count === 0}>
            Delete {Math.min(count, 500)} {count === 1 ? "client" : "clients"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
