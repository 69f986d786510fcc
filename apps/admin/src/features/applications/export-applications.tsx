"use client";

import { APPLICATION_FILTERS } from "@gatehouse/console/lists/lists";
import { useMutation } from "@tanstack/react-query";
import { useFilters } from "@/components/use-filters.ts";
import { ListExport } from "@/exports/list-export.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Downloads the applications that the list shows. CO-85. */
export function ExportApplications({ opened, close }: { opened: boolean; close: () => void }) {
  const { values: filter, isSet } = useFilters(APPLICATION_FILTERS);
  const start = useMutation(useTRPC().applications.export.mutationOptions());
  return (
    <ListExport
      title="Export applications"
      path="/api/exports/applications"
      csvHint="For spreadsheets. Clients are JSON in one column."
      opened={opened}
      close={close}
      starting={start.isPending}
      start={(options) => start.mutate({ filter }, options)}
    >
      Downloads {isSet ? "the applications that match the filters" : "all applications"}, with their clients and without
      secrets. The audit log records the export.
    </ListExport>
  );
}
