import type { Position } from "@gatehouse/db/query/page";
import { type AuditDeps, auditWrite } from "../../audit/entry.ts";
import type { OperationDeps } from "../../deps.ts";
import { EXPORT_ROWS, type ExportAuthor, openExportTicket, startListExport } from "../../export-ticket.ts";
import type { UserFilter } from "../../lists/lists.ts";
import type { Author } from "../../permissions.ts";
import { type ExportRow, findExportRows, listExportRows } from "../import/queries.ts";
import type { ImportedUser } from "../import/schemas.ts";
import { listUsers } from "../users.ts";

/** A user in the form that an import reads, without what it lacks. Times are ISO 8601. */
export type ExportedUser = Omit<Partial<ImportedUser>, "created_at"> & {
  id: string;
  email: string;
  created_at: string;
};

const EXPORT = { action: "user.export" as const, object: "users", objectName: "Users" };

/**
 * Every user, newest first. Leaves an audit row before the first. `hashes` adds password hashes, which only the command
 * line may. UM-08, CO-64.
 */
export async function* exportUsers(
  { hashes }: { hashes: boolean },
  author: Author,
  { db, reads, lists = reads, now, random }: AuditDeps & Pick<OperationDeps, "lists" | "reads">,
): AsyncGenerator<ExportedUser> {
  await db.transaction([auditWrite(author, { ...EXPORT, detail: { password_hashes: hashes } }, { db, now, random })]);
  let position: Position | undefined;
  for (;;) {
    const rows = await listExportRows(lists, position, EXPORT_ROWS);
    for (const row of rows) yield exported(row, hashes);
    const last = rows.at(-1);
    if (!last || rows.length < EXPORT_ROWS) return;
    position = { at: last.createdAt, id: last.id };
  }
}

/** Starts an export of the users that match: leaves the audit row and returns the ticket for its pages. UM-08. */
export async function startUserExport(
  { filter }: { filter: UserFilter },
  author: ExportAuthor,
  deps: Pick<OperationDeps, "db" | "seal" | "now" | "random">,
): Promise<{ ticket: string }> {
  return startListExport("user export", EXPORT, filter, author, deps);
}

/**
 * One page of a started export, newest first, without hashes. `cursor` is the `nextCursor` of the page before. Throws
 * `not_found`.
 */
export async function userExportPage(
  { ticket, cursor }: { ticket: string; cursor: string | null },
  author: Author,
  deps: Pick<OperationDeps, "reads" | "seal" | "now">,
): Promise<{ items: ExportedUser[]; nextCursor: string | null }> {
  const { filter } = openExportTicket<{ filter: UserFilter }>("user export", ticket, author, deps);
  const { items, nextCursor } = await listUsers({ ...filter, cursor, limit: EXPORT_ROWS }, deps);
  const rows = await findExportRows(
    deps.reads,
    items.map(({ id }) => id),
  );
  return { items: rows.map((row) => exported(row, false)), nextCursor };
}

/** One user as exported. */
function exported(row: ExportRow, hashes: boolean): ExportedUser {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    email_verified: row.emailVerifiedAt !== null,
    ...(row.externalId !== null && { external_id: row.externalId }),
    ...(row.locale !== null && { locale: row.locale }),
    ...(row.disabledAt !== null && { disabled: true }),
    created_at: new Date(row.createdAt * 1000).toISOString(),
    identities: row.identities.map(({ email, ...key }) => ({ ...key, ...(email !== null && { email }) })),
    ...(hashes && row.passwordHash !== null && { password_hash: row.passwordHash }),
  };
}
