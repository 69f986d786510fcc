"use client";

import { List, Modal, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toastChanged } from "@/components/toasts.tsx";
import { TypeToConfirm } from "@/components/type-to-confirm.tsx";
import { useOpenedLate } from "@/components/use-opened-late.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { formatBytes } from "../format.ts";

type Props = { delivery: Delivery; opened: boolean; close: () => void };

/** Says what goes and what stays, and asks for the event's id. CO-43, CO-53. */
export function DeletePayloadDialog({ delivery, opened, close }: Props) {
  const { id, eventId, bodyBytes, environment, outcome } = delivery;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.deliveries.deletePayload.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        close();
        toastChanged("The payload is deleted.");
        await queryClient.invalidateQueries({ queryKey: trpc.deliveries.pathKey() });
      },
    }),
  );
  const where = environment === "production" ? " in production" : "";
  return (
    <Modal
      opened={useOpenedLate(opened)}
      onClose={close}
      onExitTransitionEnd={remove.reset}
      title={`Delete this payload${where}?`}
    >
      <TypeToConfirm
        expected={eventId ?? "delete"}
        action={`Delete payload${where}`}
        onConfirm={() => remove.mutate({ id })}
        onCancel={close}
        pending={remove.isPending}
        error={remove.error}
      >
        <Text size="sm">
          Deletes what was stored of this request’s body ({formatBytes(bodyBytes)}). You can’t undo this.
        </Text>
        <List size="sm" spacing={6}>
          <List.Item>
            Nobody can see, copy or export it any more
            {outcome === "rejected" ? "." : ", and its handlers can’t run again."}
          </List.Item>
          <List.Item>
            The result, the headers and the attempts stay. The error of an attempt can quote the payload, and backups
            still have it.
          </List.Item>
          {outcome !== "rejected" && (
            <List.Item>
              Other deliveries of the same event keep theirs. If the provider repeats the event, that delivery has a
              payload of its own.
            </List.Item>
          )}
        </List>
      </TypeToConfirm>
    </Modal>
  );
}
