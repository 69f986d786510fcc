import type { NextRequest } from "next/server";
import { exportResponse } from "@/exports/export-response.ts";
import { csv, type ExportFormat, NDJSON } from "@/exports/formats.ts";
import type { Refusal } from "@/trpc/types.ts";

const table = csv<Row>([
  "errorId",
  "at",
  "endpoint",
  "error",
  "cause",
  "message",
  "detail",
  "actor",
  "howToFix",
  "clientId",
  "applicationId",
  "applicationName",
  "clientName",
  "environment",
  "address",
]);

type Row = ReturnType<typeof rowOf>;

/** The client in columns of its own; `detail` is JSON in one. */
function rowOf({ client, detail, ...refusal }: Refusal) {
  const { clientId, applicationId, applicationName, name: clientName, environment } = client ?? NOBODY;
  return {
    ...refusal,
    detail: JSON.stringify(detail),
    clientId,
    applicationId,
    applicationName,
    clientName,
    environment,
  };
}

const NOBODY = { clientId: null, applicationId: null, applicationName: null, name: null, environment: null };

const FORMATS = new Map<string | null, ExportFormat<Refusal>>([
  ["csv", { ...table, line: (refusal) => table.line(rowOf(refusal)) }],
  ["ndjson", NDJSON],
]);

/** Downloads the failures of a ticket of `refusals.export`. CO-85. */
export function POST(request: NextRequest): Promise<Response> {
  return exportResponse(request, {
    name: "failures",
    formatOf: (asked) => FORMATS.get(asked),
    pages:
      ({ refusals }, ticket) =>
      (cursor) =>
        refusals.exportPage.mutate({ ticket, cursor }),
  });
}
