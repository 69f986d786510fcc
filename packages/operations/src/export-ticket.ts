import type { OperationDeps } from "./deps.ts";
import { DomainError } from "./domain-error.ts";
import type { Author } from "./permissions.ts";

/** How long an export can take. */
const TICKET_SECONDS = 3_600;

type Kind = "delivery export" | "user export" | "audit export";
type Ticket<Draft> = Draft & { userId: string; expiresAt: number };

/** The ticket for the pages of an export: only the same user can use it, for an hour. CO-85. */
export function sealTicket<Draft extends object>(
  kind: Kind,
  draft: Draft,
  { id }: Author,
  { seal, now }: Pick<OperationDeps, "seal" | "now">,
): string {
  const ticket: Ticket<Draft> = { ...draft, userId: id, expiresAt: now() + TICKET_SECONDS };
  return seal.seal(kind, JSON.stringify(ticket));
}

/** What {@link sealTicket} sealed. Throws `not_found` for another user's ticket, and for one that has ended. */
export function openTicket<Draft extends object>(
  kind: Kind,
  sealed: string,
  { id }: Author,
  { seal, now }: Pick<OperationDeps, "seal" | "now">,
): Draft {
  const opened = seal.open(kind, sealed);
  const ticket = opened === undefined ? undefined : (JSON.parse(opened) as Ticket<Draft>); // only sealTicket seals for this kind
  if (ticket === undefined || ticket.userId !== id || ticket.expiresAt <= now())
    throw new DomainError("not_found", "There is no such export, or it has ended. Start it again.");
  return ticket;
}
