import { bodyDeletion, findLastAudit, isBodyNeeded } from "@gatehouse/db";
import { auditWrite } from "../../audit.ts";
import type { OperationDeps } from "../../deps.ts";
import { DomainError } from "../../domain-error.ts";
import { ABILITIES, type Author, assertMayManage, mayManage } from "../../permissions.ts";
import { type OpenedDelivery, openDelivery, type Viewer } from "./delivery.ts";

const ACTION = "webhook.delete_body";
const UNHANDLED = "Handlers still have to read it. Wait until the event is handled, or has failed for the last time.";

/**
 * Deletes the stored body of a delivery for good, with an audit row in the same transaction. Handlers that still have to read it prevent
 * that. Throws `not_found`, `forbidden`, and `conflict` if there is no body, or it is still needed. CO-53.
 */
export async function deletePayload(id: string, author: Author, deps: Pick<OperationDeps, "handle" | "now" | "random">): Promise<void> {
  const { row, environment } = await openDelivery(id, deps);
  assertMayManage(author, environment);
  const { endpoint, bodyBytes } = row;
  const entry = { action: ACTION, object: id, objectName: endpoint, environment, detail: { endpoint, bodyBytes } };
  if (await deps.handle.guarded(bodyDeletion(deps.handle, id), [auditWrite(author, entry, deps)])) return;
  throw new DomainError("conflict", (await isBodyNeeded(deps.handle, id)) ? UNHANDLED : "The payload is deleted already.");
}

/** Whether this person may delete the body; the reason is null for those who never may. */
export async function deletionRights(
  { role, scopes }: Viewer,
  { row, environment }: OpenedDelivery,
  { handle }: Pick<OperationDeps, "handle">,
): Promise<{ allowed: boolean; reason: string | null }> {
  const never = { allowed: false, reason: null };
  if (row.body === null || !ABILITIES[role].manageDevelopment || !scopes.includes("webhooks:configure")) return never;
  if (!mayManage({ role }, environment)) return { allowed: false, reason: "Only admins can delete payloads of production." };
  return (await isBodyNeeded(handle, row.id)) ? { allowed: false, reason: UNHANDLED } : { allowed: true, reason: null };
}

/**
 * Who deleted the body and when, as long as the audit log goes back that far; null if nobody did. Retention leaves no row. CO-53.
 */
export async function whoDeletedBody({ row }: OpenedDelivery, { handle }: Pick<OperationDeps, "handle">) {
  if (row.body !== null) return null;
  const found = await findLastAudit(handle, { object: row.id, action: ACTION });
  return found ? { at: found.at, by: found.actorName } : null;
}
