"use client";

import type { DeliveryFilter } from "@gatehouse/console/lists/lists";
import { Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "@/components/me.tsx";
import type { Selected } from "@/components/table/use-selection.ts";
import { useOpenedLate } from "@/components/use-opened-late.ts";
import { download } from "@/exports/download.ts";
import { useTRPC } from "@/trpc/client.tsx";

type Props = { selected: Selected; filter: DeliveryFilter; filtered: boolean; opened: boolean; close: () => void };

/** Starts an export, which the audit log records; the browser then downloads it. */
export function ExportDialog({ selected, filter, filtered, opened, close }: Props) {
  const trpc = useTRPC();
  const { can } = useMe();
  const [contents, setContents] = useState(false);
  const start = useMutation(
    trpc.deliveries.export.mutationOptions({
      onSuccess({ ticket }) {
        close();
        download("/api/exports/deliveries", { ticket });
      },
    }),
  );
  const what =
    selected.kind === "some"
      ? `the ${selected.ids.length} selected deliveries`
      : filtered
        ? "all deliveries that match the filters"
        : "all deliveries";
  return (
    <Modal opened={useOpenedLate(opened)} onClose={close} title="Export deliveries">
      <Stack>
        <Text size="sm">
          Downloads {what} as NDJSON: one JSON object per line, newest first. The audit log records the export.
        </Text>
        {can.manageDevelopment && (
          <Checkbox
            label="Include headers and payloads"
            description={
              can.manageProduction
                ? undefined
                : "Those of production endpoints are left out: only admins can export them."
            }
            checked={contents}
            onChange={({ currentTarget }) => setContents(currentTarget.checked)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            data-autofocus
            loading={start.isPending}
            onClick={() =>
              start.mutate({ contents, ...(selected.kind === "some" ? { ids: [...selected.ids] } : { filter }) })
            }
          >
            Download
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
