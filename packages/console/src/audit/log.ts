import { timeOfId } from "@gatehouse/auth";
import { toPage } from "@gatehouse/db/query/page";
import { addressFor } from "../deliveries/detail/rights.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { EXPORT_ROWS, type ExportAuthor, openExportTicket, startListExport } from "../export-ticket.ts";
import type { ListInput } from "../lists/filter.ts";
import type { AuditFilter } from "../lists/lists.ts";
import { positionOf } from "../paging.ts";
import type { Actor, Author } from "../permissions.ts";
import { findAuditRow, type ListedAuditRow, listAuditHistory, listAuditRows } from "./queries.ts";

type Reads = Pick<OperationDeps, "reads">;

/** A row as people of this role see it. CO-02. */
const viewFor = (actor: Actor) => (row: ListedAuditRow) => ({ ...row, address: addressFor(actor, row.address) });

/** A page of the audit log, newest first. CO-66. */
export async function listAuditLog(
  { cursor, limit, ...filter }: ListInput<AuditFilter>,
  actor: Actor,
  { reads }: Reads,
) {
  const found = await listAuditRows(reads, filter, positionOf(cursor), limit);
  const { items, ...page } = toPage(found, limit, ({ id }) => ({ at: timeOfId(id), id }));
  return { items: items.map(viewFor(actor)), ...page };
}

/** One row, by its number or id. Throws `not_found`. */
export async function getAuditEntry(key: { number: number } | { id: string }, actor: Actor, { reads }: Reads) {
  const row = await findAuditRow(reads, key);
  if (!row)
    throw new DomainError("not_found", "There is no such row in the audit log, or it was deleted because of its age.");
  return viewFor(actor)(row);
}

/** What was done to these objects, newest first. `cursor` is the `nextCursor` of the page before. CO-66. */
export async function listObjectHistory(
  { objects, cursor, limit }: { objects: string[]; cursor?: string | null | undefined; limit: number },
  actor: Actor,
  { reads }: Reads,
) {
  const rows = await listAuditHistory(reads, { objects, before: positionOf(cursor)?.id, limit: limit + 1 });
  const { items, nextCursor } = toPage({ rows }, limit, ({ id }) => ({ at: timeOfId(id), id }));
  return { items: items.map(viewFor(actor)), nextCursor };
}

/** Starts an export of the rows that match: leaves a row of its own and returns the ticket for the pages. CO-85. */
export async function startAuditExport(
  { filter }: { filter: AuditFilter },
  author: ExportAuthor,
  deps: Pick<OperationDeps, "db" | "seal" | "now" | "random">,
): Promise<{ ticket: string }> {
  return startListExport(
    "audit export",
    { action: "audit.export", object: "audit", objectName: "Audit log" },
    filter,
    author,
    deps,
  );
}

/**
 * One page of a started export, newest first. Each row's number and MAC is a head that a later verification can be
 * given. CO-65.
 */
export async function auditExportPage(
  { ticket, cursor }: { ticket: string; cursor: string | null },
  author: Author,
  deps: Pick<OperationDeps, "reads" | "seal" | "now">,
) {
  const { filter } = openExportTicket<{ filter: AuditFilter }>("audit export", ticket, author, deps);
  return listAuditLog({ ...filter, cursor, limit: EXPORT_ROWS }, author, deps);
}
