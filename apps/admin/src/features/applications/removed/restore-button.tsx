"use client";

import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { FormError } from "@/components/form-error.tsx";
import { useCanManage } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { toastChanged, toastFailed } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { Removed, Restored } from "@/trpc/types.ts";

type Props = { removed: Removed; label: "Restore" | "Undo"; restored?: (where: string) => void };

/**
 * Restores at once. Asks for another name if the old one is taken. `restored` gets the address of the page. CO-44,
 * CO-78.
 */
export function RestoreButton({ removed, label, restored }: Props) {
  const { hide, reason } = useCanManage(removed.environments.includes("production") ? "production" : "development");
  const [asking, setAsking] = useState(false);
  const confirmed = useConfirmed();
  const restore = useRestore((result) => {
    setAsking(false);
    const href = hrefOf(result);
    toastChanged(`${result.name} is restored. Its secrets and tokens are not.`, { href, label: "Open" });
    restored?.(href);
  });
  if (hide) return null;
  const send = (name?: string) =>
    restore.mutate(
      { id: removed.id, name },
      { onError: (error) => (fieldErrorsOf(error)["name"] === undefined ? toastFailed(error) : setAsking(true)) },
    );
  const production = removed.environments.includes("production");
  return (
    <>
      <Permitted reason={reason}>
        <Button
          size="compact-sm"
          variant="default"
          loading={restore.isPending && !asking}
          onClick={() => (production ? confirmed(send) : send())}
        >
          {label}
        </Button>
      </Permitted>
      <Modal opened={asking} onClose={() => setAsking(false)} title="Restore under another name">
        <OtherName
          name={removed.name}
          error={restore.error}
          pending={restore.isPending}
          send={send}
          cancel={() => setAsking(false)}
        />
      </Modal>
    </>
  );
}

function useRestore(done: (result: Restored) => void) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return useMutation(
    trpc.removed.restore.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(result) {
        done(result);
        await Promise.all([
          queries.invalidateQueries(trpc.removed.pathFilter()),
          queries.invalidateQueries(trpc.applications.pathFilter()),
        ]);
      },
    }),
  );
}

type OtherNameProps = {
  name: string;
  error: unknown;
  pending: boolean;
  send: (name: string) => void;
  cancel: () => void;
};

function OtherName({ name, error, pending, send, cancel }: OtherNameProps) {
  const [other, setOther] = useState(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(other.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          required
          maxLength={80}
          value={other}
          onChange={({ currentTarget }) => setOther(currentTarget.value)}
          error={fieldErrorsOf(error)["name"]}
          data-autofocus
        />
        <FormError error={error} shownAt={["name"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={pending} disabled={other.trim() === ""}>
            Restore
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function hrefOf({ kind, applicationId, name, environment }: Restored): string {
  const place = kind === "client" && environment ? `?${new URLSearchParams({ client: name, environment })}` : "";
  return `/applications/${applicationId}${place}`;
}
