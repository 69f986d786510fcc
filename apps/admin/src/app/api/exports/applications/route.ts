import type { NextRequest } from "next/server";
import { exportResponse } from "@/exports/export-response.ts";
import { csv, type ExportFormat, NDJSON } from "@/exports/formats.ts";
import type { ApplicationItem } from "@/trpc/types.ts";

/** `clients` is JSON in its column. */
const table = csv<Omit<ApplicationItem, "clients"> & { clients: string }>([
  "id",
  "name",
  "description",
  "createdAt",
  "lastTokenAt",
  "refusals",
  "clients",
]);

const FORMATS = new Map<string | null, ExportFormat<ApplicationItem>>([
  [
    "csv",
    { ...table, line: (application) => table.line({ ...application, clients: JSON.stringify(application.clients) }) },
  ],
  ["ndjson", NDJSON],
]);

/** Downloads the applications of a ticket of `applications.export`. CO-85. */
export function POST(request: NextRequest): Promise<Response> {
  return exportResponse(request, {
    name: "applications",
    formatOf: (asked) => FORMATS.get(asked),
    pages:
      ({ applications }, ticket) =>
      (cursor) =>
        applications.exportPage.mutate({ ticket, cursor }),
  });
}
