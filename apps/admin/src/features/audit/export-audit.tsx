"use client";

import { AUDIT_FILTERS } from "@gatehouse/console/lists/lists";
import { useMutation } from "@tanstack/react-query";
import { useFilters } from "@/components/use-filters.ts";
import { ListExport } from "@/exports/list-export.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Downloads the rows that the list shows. CO-85. */
export function ExportAudit({ opened, close }: { opened: boolean; close: () => void }) {
  const { values: filter, isSet } = useFilters(AUDIT_FILTERS);
  const start = useMutation(useTRPC().audit.export.mutationOptions());
  return (
    <ListExport
      title="Export the audit log"
      path="/api/exports/audit"
      csvHint="For spreadsheets. Changes are JSON in one column."
      opened={opened}
      close={close}
      starting={start.isPending}
      start={(options) => start.mutate({ filter }, options)}
    >
      Downloads {isSet ? "the rows that match the filters" : "all rows"}, newest first, with their numbers and MACs. The
      audit log records the export.
    </ListExport>
  );
}
