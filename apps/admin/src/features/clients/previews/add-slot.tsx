"use client";

import { Button, Group, Modal, NumberInput, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/form-error.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { ClientView, Previews } from "@/trpc/types.ts";
import { useSlotsChanged } from "./use-slots-changed.ts";

type Props = { client: ClientView; frame: NonNullable<Previews["frame"]>; reason: string | undefined };

const DAY = 86_400;

export function AddSlot({ client, frame, reason }: Props) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Permitted reason={reason}>
        <Button size="xs" onClick={dialog.open}>
          Add slot
        </Button>
      </Permitted>
      <Modal opened={opened} onClose={dialog.close} title="Add a preview slot">
        <AddSlotForm client={client} frame={frame} close={dialog.close} />
      </Modal>
    </>
  );
}

function AddSlotForm({ client: { clientId }, frame, close }: Omit<Props, "reason"> & { close: () => void }) {
  const trpc = useTRPC();
  const changed = useSlotsChanged(clientId);
  const most = frame.mostSeconds / DAY;
  const [key, setKey] = useState("");
  const [typedUri, setTypedUri] = useState<string>();
  const [days, setDays] = useState<string | number>(most);
  const redirectUri = typedUri ?? `https://${frame.hostPrefix}${key || "pr-123"}${frame.hostSuffix}${frame.path}`;
  const put = useMutation(
    trpc.previews.put.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(slot) {
        close();
        toastChanged(`Slot ${slot.key} is live.`);
        await changed();
      },
    }),
  );
  const errors = fieldErrorsOf(put.error);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate({ clientId, key, redirectUri, endsInSeconds: Math.round(Number(days) * DAY) });
      }}
    >
      <Stack>
        <TextInput
          label="Key"
          description="What the preview is for. Putting the same key again renews the slot."
          placeholder="pr-123"
          required
          maxLength={64}
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value.trim())}
          error={errors["key"]}
          spellCheck={false}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label="Redirect URI"
          description="The exact address."
          required
          maxLength={1000}
          value={redirectUri}
          onChange={({ currentTarget }) => setTypedUri(currentTarget.value.trim())}
          error={errors["redirectUri"]}
          spellCheck={false}
          autoComplete="off"
        />
        <NumberInput
          label="Expires after"
          description={`${most} days at most.`}
          min={1}
          max={most}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          suffix=" days"
          styles={{ wrapper: { maxWidth: 220 } }}
          value={days}
          onChange={setDays}
          error={errors["endsInSeconds"]}
        />
        <FormError error={put.error} shownAt={["key", "redirectUri", "endsInSeconds"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={put.isPending}>
            Add slot
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
