"use client";

import { Button, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { Permitted } from "@/components/permitted.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { TypeToConfirm } from "@/components/type-to-confirm.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientView, PreviewSlot } from "@/trpc/types.ts";
import { useSlotsChanged } from "./use-slots-changed.ts";

type Props = { client: ClientView; slot: PreviewSlot; reason: string | undefined };

/** Ends a slot with its tokens. CO-30. */
export function EndSlot({ client: { clientId }, slot: { key }, reason }: Props) {
  const trpc = useTRPC();
  const changed = useSlotsChanged(clientId);
  const [asking, dialog] = useDisclosure();
  const end = useMutation(
    trpc.previews.end.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ ended }) {
        dialog.close();
        toastChanged(ended ? `Slot ${key} ended.` : `Slot ${key} had ended already.`);
        await changed();
      },
    }),
  );
  return (
    <>
      <Permitted reason={reason}>
        <Button size="compact-xs" variant="subtle" color="red" onClick={dialog.open} aria-label={`End ${key}`}>
          End
        </Button>
      </Permitted>
      <Modal opened={asking} onClose={dialog.close} title={`End the slot ${key}?`}>
        <TypeToConfirm
          expected={undefined}
          action="End slot"
          onConfirm={() => end.mutate({ clientId, key })}
          onCancel={dialog.close}
          pending={end.isPending}
          error={end.error}
        >
          <Text size="sm">Users can’t sign in to this preview any more, and the tokens that it got stop at once.</Text>
        </TypeToConfirm>
      </Modal>
    </>
  );
}
