import { isDeepStrictEqual } from "node:util";
import { type Environment, mintTimeOrderedId } from "@gatehouse/auth";
import { auditInsert, type WriteQuery } from "@gatehouse/db";
import type { OperationDeps } from "./deps.ts";
import type { Author } from "./permissions.ts";

/** What was done to what. The detail never contains a secret. */
export type AuditEntry = {
  /** Noun and verb, as `webhook_secret.add`. */
  action: string;
  /** The id of the object. */
  object: string;
  environment?: Environment | null;
  detail?: Record<string, unknown>;
};

/**
 * The row of the audit log for one change: pass it to the transaction that makes the change, so that neither exists without the other. For
 * something that only reads, such as revealing a payload, run it in a transaction of its own first. CO-64.
 */
export function auditWrite(
  { id, name, role, via, address }: Author,
  { action, object, environment = null, detail = {} }: AuditEntry,
  { handle, now, random }: Pick<OperationDeps, "handle" | "now" | "random">,
): WriteQuery {
  const at = now();
  const who = { actorId: id, actorName: name, role, via, address };
  return auditInsert(handle, { id: mintTimeOrderedId({ now: () => at, random }), at, ...who, action, object, environment, detail });
}

/** The members of `after` that differ from `before`, as `{ name: { before, after } }`. The order of an object's members does not count. */
export function changedFields(before: object, after: object): Record<string, { before: unknown; after: unknown }> {
  const changed = Object.entries(after).filter(([field, value]) => !isDeepStrictEqual(Reflect.get(before, field), value));
  return Object.fromEntries(changed.map(([field, value]) => [field, { before: Reflect.get(before, field) ?? null, after: value }]));
}
