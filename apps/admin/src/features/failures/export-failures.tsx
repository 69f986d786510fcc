"use client";

import { REFUSAL_FILTERS } from "@gatehouse/console/lists/lists";
import { useMutation } from "@tanstack/react-query";
import { useFilters } from "@/components/use-filters.ts";
import { ListExport } from "@/exports/list-export.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Downloads the single failures that the list shows. CO-85. */
export function ExportFailures({ opened, close }: { opened: boolean; close: () => void }) {
  const { values: filter, isSet } = useFilters(REFUSAL_FILTERS);
  const start = useMutation(useTRPC().refusals.export.mutationOptions());
  return (
    <ListExport
      title="Export failures"
      path="/api/exports/failures"
      csvHint="For spreadsheets. Details are JSON in one column."
      opened={opened}
      close={close}
      starting={start.isPending}
      start={(options) => start.mutate({ filter }, options)}
    >
      Downloads {isSet ? "the failures that match the filters" : "all failures"}, newest first. The audit log records
      the export.
    </ListExport>
  );
}
