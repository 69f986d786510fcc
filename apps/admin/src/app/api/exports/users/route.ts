import type { NextRequest } from "next/server";
import { exportResponse } from "@/exports/export-response.ts";
import { csv, type ExportFormat, JSON_LINES } from "@/exports/formats.ts";
import type { ExportedUser } from "@/trpc/types.ts";

/** The columns that `gatehouse users import` reads; identities are in JSON Lines alone. */
const COLUMNS = [
  "id",
  "email",
  "name",
  "role",
  "email_verified",
  "external_id",
  "locale",
  "disabled",
  "created_at",
] as const;

const FORMATS = new Map<string | null, ExportFormat<ExportedUser>>([
  ["csv", csv<ExportedUser>(COLUMNS)],
  ["jsonl", JSON_LINES],
]);

/** Downloads the users of a ticket of `users.export`. UM-08. */
export function POST(request: NextRequest): Promise<Response> {
  return exportResponse(request, {
    name: "users",
    formatOf: (asked) => FORMATS.get(asked),
    pages:
      ({ users }, ticket) =>
      (cursor) =>
        users.exportPage.mutate({ ticket, cursor }),
  });
}
