import { isDeepStrictEqual } from "node:util";
import { type Environment, mintTimeOrderedId } from "@gatehouse/auth";
import { type AuditRow, auditInsert } from "@gatehouse/db/audit";
import type { WriteQuery } from "@gatehouse/db/query/db";
import type { OperationDeps } from "../deps.ts";
import type { Author } from "../permissions.ts";
import type { AuditAction } from "./actions.ts";

/** What was done to what. The detail never contains a secret. */
export type AuditEntry = {
  action: AuditAction;
  /** The id of the object. */
  object: string;
  /** What the object is called now, for readers of the log. */
  objectName?: string | undefined;
  environment?: Environment | null;
  detail?: Record<string, unknown>;
};

/** What an operation needs to record what it does. */
export type AuditDeps = Pick<OperationDeps, "db" | "now" | "random">;

/** The row of the audit log for one change, for an `AccountRecord`. What an apply does names its file. */
export function auditRow(
  { id, name, role, via, address, file, userAgent = null, requestId = null }: Author,
  { action, object, objectName, environment = null, detail = {} }: AuditEntry,
  { now, random }: Pick<OperationDeps, "now" | "random">,
): AuditRow {
  const at = now();
  const who = { actorId: id, actorName: name, role, via, address, userAgent, requestId };
  const what = {
    action,
    object,
    objectName: objectName ?? null,
    environment,
    detail: file === undefined ? detail : { ...detail, file },
  };
  return { id: mintTimeOrderedId({ now: () => at, random }), at, ...who, ...what };
}

/**
 * The insert of that row: pass it to the transaction that makes the change, so that neither exists without the other.
 * For something that only reads, such as revealing a payload, run it in a transaction of its own first. CO-64.
 */
export function auditWrite(author: Author, entry: AuditEntry, deps: AuditDeps): WriteQuery {
  return auditInsert(deps.db, auditRow(author, entry, deps));
}

/**
 * The members of `after` that differ from `before`, as `{ name: { before, after } }`. The order of an object's members
 * does not count.
 */
export function changedFields(before: object, after: object): Record<string, { before: unknown; after: unknown }> {
  const changed = Object.entries(after).filter(
    ([field, value]) => !isDeepStrictEqual(Reflect.get(before, field), value),
  );
  return Object.fromEntries(
    changed.map(([field, value]) => [field, { before: Reflect.get(before, field) ?? null, after: value }]),
  );
}
