"use client";

import type { DeliveryFilter } from "@gatehouse/console/lists/lists";
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { scopeOf } from "@/components/table/selection-bar.tsx";
import type { Selected } from "@/components/table/use-selection.ts";
import { changeQuery } from "@/components/use-filters.ts";
import { useOpenedLate } from "@/components/use-opened-late.ts";
import { useTRPC } from "@/trpc/client.tsx";

type Props = {
  selected: Selected;
  filter: DeliveryFilter;
  opened: boolean;
  close: () => void;
};

/**
 * Says what running handlers again does, and starts the run. Its progress opens by `?rerun=` in the URL, so a reload
 * keeps it.
 */
export function RerunDialog({ selected, filter, opened, close }: Props) {
  const trpc = useTRPC();
  const start = useMutation(
    trpc.deliveries.rerunMany.mutationOptions({
      onSuccess({ rerunId }) {
        close();
        changeQuery({ rerun: rerunId });
      },
    }),
  );
  return (
    <Modal opened={useOpenedLate(opened)} onClose={close} title="Run handlers again">
      <Stack>
        <Text size="sm">
          Runs the handlers of the selected deliveries again: {scopeOf(selected)}. Rejected deliveries and duplicates
          are skipped. An effect that a handler commits with <code>ctx.once</code> does not happen a second time.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            data-autofocus
            loading={start.isPending}
            onClick={() => start.mutate(selected.kind === "some" ? { ids: [...selected.ids] } : { filter })}
          >
            Run again
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
