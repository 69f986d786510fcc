import type { OperationDeps } from "../deps.ts";
import { EXPORT_ROWS, type ExportAuthor, openExportTicket, startListExport } from "../export-ticket.ts";
import type { ApplicationFilter } from "../lists/lists.ts";
import type { Author } from "../permissions.ts";
import { listApplications } from "./applications.ts";

/** Starts an export of the applications that match: leaves an audit row and returns the ticket for the pages. CO-85. */
export function startApplicationExport(
  { filter }: { filter: ApplicationFilter },
  author: ExportAuthor,
  deps: Pick<OperationDeps, "db" | "seal" | "now" | "random">,
): Promise<{ ticket: string }> {
  const what = { action: "application.export" as const, object: "applications", objectName: "Applications" };
  return startListExport("application export", what, filter, author, deps);
}

/** One page of a started export, in the order of the list. Throws `not_found`. */
export function applicationExportPage(
  { ticket, cursor }: { ticket: string; cursor: string | null },
  author: Author,
  deps: Pick<OperationDeps, "reads" | "seal" | "now">,
) {
  const { filter } = openExportTicket<{ filter: ApplicationFilter }>("application export", ticket, author, deps);
  return listApplications({ ...filter, cursor, limit: EXPORT_ROWS }, deps);
}
