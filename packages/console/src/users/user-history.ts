import type { AuditRow } from "@gatehouse/db/audit";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { findUserSecurity, listAuditOf, type UserSecurity } from "./admin-queries.ts";

const ROWS_PER_PAGE = 30;

/** One act of an operator, without the address it came from. */
export type HistoryEntry = Pick<AuditRow, "id" | "at" | "actorId" | "actorName" | "via" | "action" | "detail">;

/** What operators did to a user, newest first. `cursor` is the `nextCursor` of the page before. UM-04. */
export async function listUserHistory(
  { id, cursor }: { id: string; cursor?: string | null | undefined },
  { reads }: Pick<OperationDeps, "reads">,
): Promise<{ items: HistoryEntry[]; nextCursor: string | null }> {
  const rows = await listAuditOf(reads, { object: id, before: cursor ?? undefined, limit: ROWS_PER_PAGE + 1 });
  const items = rows
    .slice(0, ROWS_PER_PAGE)
    .map(({ id, at, actorId, actorName, via, action, detail }) => ({ id, at, actorId, actorName, via, action, detail }));
  return { items, nextCursor: rows.length > ROWS_PER_PAGE ? (items.at(-1)?.id ?? null) : null };
}

/** What a user signs in with. Throws `not_found`. */
export async function getUserSecurity(id: string, { reads }: Pick<OperationDeps, "reads">): Promise<UserSecurity> {
  const security = await findUserSecurity(reads, id);
  if (!security) throw new DomainError("not_found", "There is no such user.");
  return security;
}
