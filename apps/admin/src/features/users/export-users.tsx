"use client";

import { USER_FILTERS } from "@gatehouse/console/lists/lists";
import { useMutation } from "@tanstack/react-query";
import { useFilters } from "@/components/use-filters.ts";
import { download } from "@/exports/download.ts";
import { FormatDialog } from "@/exports/format-dialog.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Downloads the users that the list shows. UM-08. */
export function ExportUsers({ opened, close }: { opened: boolean; close: () => void }) {
  const trpc = useTRPC();
  const { values: filter, isSet } = useFilters(USER_FILTERS);
  const start = useMutation(trpc.users.export.mutationOptions());
  const startExport = (format: string) =>
    start.mutate(
      { filter },
      {
        onSuccess({ ticket }) {
          close();
          download("/api/exports/users", { ticket, format });
        },
      },
    );
  return (
    <FormatDialog
      title="Export users"
      opened={opened}
      close={close}
      formats={[
        { value: "csv", label: "CSV", hint: "For spreadsheets." },
        {
          value: "jsonl",
          label: "JSON Lines",
          hint: "One JSON object per line, with connected accounts. gatehouse users import reads it.",
        },
      ]}
      starting={start.isPending}
      start={startExport}
    >
      Downloads {isSet ? "the users that match the filters" : "all users"}, newest first, without passwords and second
      factors. The audit log records the export.
    </FormatDialog>
  );
}
