"use client";

import { AUDIT_FILTERS } from "@gatehouse/lists";
import { useMutation } from "@tanstack/react-query";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { download } from "@/exports/download.ts";
import { FormatDialog } from "@/exports/format-dialog.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Downloads the rows that the list shows. CO-85. */
export function ExportAudit({ opened, close }: { opened: boolean; close: () => void }) {
  const trpc = useTRPC();
  const confirmed = useConfirmed();
  const { values: filter, isSet } = useFilters(AUDIT_FILTERS);
  const start = useMutation(trpc.audit.export.mutationOptions());
  const startExport = (format: string) =>
    start.mutate(
      { filter },
      {
        onSuccess({ ticket }) {
          close();
          download("/api/exports/audit", { ticket, format });
        },
      },
    );
  return (
    <FormatDialog
      title="Export the audit log"
      opened={opened}
      close={close}
      formats={[
        { value: "csv", label: "CSV", hint: "For spreadsheets. Changes are JSON in one column." },
        { value: "ndjson", label: "NDJSON", hint: "One JSON object per line." },
      ]}
      starting={start.isPending}
      start={(format) => confirmed(() => startExport(format))}
    >
      Downloads {isSet ? "the rows that match the filters" : "all rows"}, newest first, with their numbers and MACs. The audit log records
      the export.
    </FormatDialog>
  );
}
