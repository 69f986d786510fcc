import type { OperationDeps } from "../deps.ts";
import { type Conflict, DomainError } from "../domain-error.ts";
import type { AuditAction } from "./actions.ts";
import { listAuditHistory } from "./queries.ts";

/** How many rows of an object's history are searched for the change, where not every row is one. */
const SEARCHED_ROWS = 20;

type Changed = Pick<Conflict, "theirs" | "version"> & {
  /** The id under which the audit log has it. */
  object: string;
  /** The actions that change what the form has; every action without it. */
  actions?: readonly AuditAction[];
};

/** The `conflict` for a save that was read at an earlier version. CO-45. */
export async function changedMeanwhile(
  { object, theirs, version, actions }: Changed,
  { db }: Pick<OperationDeps, "db">,
): Promise<DomainError> {
  const rows = await listAuditHistory(db, { objects: [object], limit: actions ? SEARCHED_ROWS : 1 });
  const last = rows.find(({ action }) => actions?.some((one) => one === action) ?? true);
  const by = last?.actorName ?? null;
  const message = `${by ?? "Somebody else"} changed this after you opened it. Compare, then save again.`;
  return new DomainError("conflict", message, [], { theirs, version, by, at: last?.at ?? null });
}

/** The values that a form would replace. */
export function fieldsOf<Draft extends object>(draft: Draft, now: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(draft).map((field) => [field, Reflect.get(now, field) ?? null]));
}
