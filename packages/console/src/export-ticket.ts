import type { Role } from "@gatehouse/auth";
import { findUser, type UserRow } from "@gatehouse/db/stores/accounts/users";
import { findSessionIdBySid } from "@gatehouse/db/stores/auth/sessions";
import { type AuditEntry, auditWrite } from "./audit/entry.ts";
import type { OperationDeps } from "./deps.ts";
import { DomainError } from "./domain-error.ts";
import type { Author } from "./permissions.ts";

/** How long an export can take. */
const EXPORT_TICKET_SECONDS = 3_600;

export type ExportKind = "application export" | "audit export" | "delivery export" | "failure export" | "user export";
/**
 * Whom the ticket lets load pages. `accessEpoch`: of the user at the start; null if the ticket works with the user's
 * own credential alone.
 */
type Holder = {
  userId: string;
  role: Role;
  accessEpoch: number | null;
  scopes: readonly string[];
  sessionId: string | null;
};
/** Who starts an export, with what the credential allows and the session that it belongs to. */
export type ExportAuthor = Author & { scopes?: readonly string[]; sessionId?: string | null };
type ExportTicket<Draft> = Draft & Holder & { expiresAt: number };

/**
 * The ticket for the pages of an export: only the same user can use it, for an hour, also after the access token ended.
 * CO-85.
 */
export async function sealExportTicket<Draft extends object>(
  kind: ExportKind,
  draft: Draft,
  { id, role, via, scopes = [], sessionId = null }: ExportAuthor,
  { db, seal, now }: Pick<OperationDeps, "db" | "seal" | "now">,
): Promise<string> {
  // An API token has an end of its own, which the user's account does not know.
  const user = via === "console" || via === "api" ? await findUser(db, id) : undefined;
  const holder: Holder = { userId: id, role, accessEpoch: user?.accessEpoch ?? null, scopes, sessionId };
  const ticket: ExportTicket<Draft> = { ...draft, ...holder, expiresAt: now() + EXPORT_TICKET_SECONDS };
  return seal.seal(kind, JSON.stringify(ticket));
}

/**
 * Starts the export of a list: leaves the audit row, and returns the ticket for the pages of what `filter` matches.
 * CO-85.
 */
export async function startListExport(
  kind: ExportKind,
  what: Pick<AuditEntry, "action" | "object" | "objectName">,
  filter: object,
  author: ExportAuthor,
  deps: Pick<OperationDeps, "db" | "seal" | "now" | "random">,
): Promise<{ ticket: string }> {
  await deps.db.transaction([auditWrite(author, { ...what, detail: { filter } }, deps)]);
  return { ticket: await sealExportTicket(kind, { filter }, author, deps) };
}

/** How many rows a page of such an export has. */
export const EXPORT_ROWS = 200;

/**
 * The user for whom a ticket was sealed, if it still counts as their credential: the account is enabled, has the same
 * role, and neither its session nor its access ended since. CO-85.
 */
export async function holderOfTicket(
  kind: ExportKind,
  sealed: string,
  { db, store, seal, now }: Pick<OperationDeps, "db" | "store" | "seal" | "now">,
): Promise<{ user: UserRow; scopes: readonly string[] } | undefined> {
  const ticket = read<object>(kind, sealed, { seal, now });
  if (!ticket || ticket.accessEpoch === null) return undefined;
  const user = await findUser(db, ticket.userId);
  if (!user || user.disabledAt !== null || user.deleteAfter !== null) return undefined;
  if (user.role !== ticket.role || user.accessEpoch !== ticket.accessEpoch) return undefined;
  if (ticket.sessionId !== null) {
    // Signing in again in that browser replaced the session, and ended nothing.
    const sessionId = await findSessionIdBySid(db, user.id, ticket.sessionId);
    if (!(await store.listSessions(user.id, now())).some(({ id }) => id === sessionId)) return undefined;
  }
  return { user, scopes: ticket.scopes };
}

/** What {@link sealExportTicket} sealed. Throws `not_found` for another user's ticket, and for one that has ended. */
export function openExportTicket<Draft extends object>(
  kind: ExportKind,
  sealed: string,
  { id }: Author,
  deps: Pick<OperationDeps, "seal" | "now">,
): Draft {
  const ticket = read<Draft>(kind, sealed, deps);
  if (ticket === undefined || ticket.userId !== id)
    throw new DomainError("not_found", "There is no such export, or it has ended. Start it again.");
  return ticket;
}

function read<Draft extends object>(
  kind: ExportKind,
  sealed: string,
  { seal, now }: Pick<OperationDeps, "seal" | "now">,
): ExportTicket<Draft> | undefined {
  const opened = seal.open(kind, sealed);
  // Only sealExportTicket seals for this kind
  const ticket = opened === undefined ? undefined : (JSON.parse(opened) as ExportTicket<Draft>);
  return ticket && ticket.expiresAt > now() ? ticket : undefined;
}
