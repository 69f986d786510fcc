import type { NextRequest } from "next/server";
import { exportResponse } from "@/exports/export-response.ts";
import { NDJSON } from "@/exports/formats.ts";

/** Downloads the deliveries of a ticket of `deliveries.export`. */
export function POST(request: NextRequest): Promise<Response> {
  return exportResponse(request, {
    name: "deliveries",
    formatOf: () => NDJSON,
    pages:
      ({ deliveries }, ticket) =>
      (cursor) =>
        deliveries.exportPage.mutate({ ticket, cursor }),
  });
}
