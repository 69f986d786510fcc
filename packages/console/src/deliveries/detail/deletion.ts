import type { Environment } from "@gatehouse/auth";
import { isBodyNeeded } from "@gatehouse/db/stores/webhooks/delivery-body";
import { findLastAudit } from "../../audit/queries.ts";
import type { OperationDeps } from "../../deps.ts";
import { ABILITIES, type Actor, mayManage } from "../../permissions.ts";

/** The audit row of a deleted body. */
export const DELETE_BODY = "webhook.delete_body" as const;
/** Why a body stays. */
export const UNHANDLED =
  "Handlers still have to read it. Wait until the event is handled, or has failed for the last time.";

type Part = Pick<OperationDeps, "db">;
type Stored = { id: string; body: Uint8Array | null };

/** Whether this person may delete the body of a delivery; the reason is null for those who never may. */
export async function deletionRights(
  { role, scopes }: Actor & { scopes: readonly string[] },
  { id, body }: Stored,
  environment: Environment,
  { db }: Part,
): Promise<{ allowed: boolean; reason: string | null }> {
  const never = { allowed: false, reason: null };
  if (body === null || !ABILITIES[role].manageDevelopment || !scopes.includes("webhooks:configure")) return never;
  if (!mayManage({ role }, environment))
    return { allowed: false, reason: "Only admins can delete payloads of production." };
  return (await isBodyNeeded(db, id)) ? { allowed: false, reason: UNHANDLED } : { allowed: true, reason: null };
}

/**
 * Who deleted the body and when, as long as the audit log goes back that far; null if nobody did. Retention leaves no
 * row. CO-53.
 */
export async function whoDeletedBody({ id, body }: Stored, { db }: Part): Promise<{ at: number; by: string } | null> {
  if (body !== null) return null;
  const found = await findLastAudit(db, { object: id, action: DELETE_BODY });
  return found ? { at: found.at, by: found.actorName } : null;
}
