import type { OperationDeps } from "../deps.ts";
import { EXPORT_ROWS, type ExportAuthor, openExportTicket, startListExport } from "../export-ticket.ts";
import type { RefusalFilter } from "../lists/lists.ts";
import type { Author } from "../permissions.ts";
import { listRefusals } from "./refusals.ts";

/** Starts an export of the refusals that match: leaves an audit row and returns the ticket for the pages. CO-85. */
export function startFailureExport(
  { filter }: { filter: RefusalFilter },
  author: ExportAuthor,
  deps: Pick<OperationDeps, "db" | "seal" | "now" | "random">,
): Promise<{ ticket: string }> {
  return startListExport(
    "failure export",
    { action: "failure.export", object: "failures", objectName: "Failures" },
    filter,
    author,
    deps,
  );
}

/** One page of a started export, newest first, with what this person may see of each. Throws `not_found`. */
export function failureExportPage(
  { ticket, cursor }: { ticket: string; cursor: string | null },
  author: Author,
  deps: Pick<OperationDeps, "reads" | "seal" | "now">,
) {
  const { filter } = openExportTicket<{ filter: RefusalFilter }>("failure export", ticket, author, deps);
  return listRefusals({ ...filter, cursor, limit: EXPORT_ROWS }, author, deps);
}
