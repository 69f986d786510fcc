import type { NextRequest } from "next/server";
import { exportResponse } from "@/exports/export-response.ts";
import { csv, type ExportFormat, NDJSON } from "@/exports/formats.ts";
import type { AuditEntry } from "@/trpc/types.ts";

const COLUMNS = [
  "number",
  "mac",
  "at",
  "actorId",
  "actorName",
  "role",
  "via",
  "action",
  "object",
  "objectName",
  "environment",
  "detail",
  "address",
  "userAgent",
  "requestId",
] as const;

/** `detail` is JSON in its column. */
const table = csv<Omit<AuditEntry, "detail"> & { detail: string }>(COLUMNS);

const FORMATS = new Map<string | null, ExportFormat<AuditEntry>>([
  ["csv", { ...table, line: (entry) => table.line({ ...entry, detail: JSON.stringify(entry.detail) }) }],
  ["ndjson", NDJSON],
]);

/** Downloads the rows of a ticket of `audit.export`. CO-85. */
export function POST(request: NextRequest): Promise<Response> {
  return exportResponse(request, {
    name: "audit-log",
    formatOf: (asked) => FORMATS.get(asked),
    pages:
      ({ audit }, ticket) =>
      (cursor) =>
        audit.exportPage.mutate({ ticket, cursor }),
  });
}
