import { bodyDeletion, isBodyNeeded } from "@gatehouse/db/stores/webhooks/delivery-body";
import { auditWrite } from "../../audit/entry.ts";
import type { OperationDeps } from "../../deps.ts";
import { DomainError } from "../../domain-error.ts";
import { type Author, assertMayManage } from "../../permissions.ts";
import { DELETE_BODY, UNHANDLED } from "./deletion.ts";
import { openDelivery } from "./opened-delivery.ts";

/**
 * Deletes the stored body of a delivery for good, with an audit row in the same transaction. Handlers that still have
 * to read it prevent that. Throws `not_found`, `forbidden`, and `conflict` if there is no body, or it is still needed.
 * CO-53.
 */
export async function deletePayload(
  id: string,
  author: Author,
  deps: Pick<OperationDeps, "db" | "now" | "random">,
): Promise<void> {
  const { row, environment } = await openDelivery(id, deps);
  assertMayManage(author, environment);
  const { endpoint, bodyBytes } = row;
  const entry = { action: DELETE_BODY, object: id, objectName: endpoint, environment, detail: { endpoint, bodyBytes } };
  if (await deps.db.guarded(bodyDeletion(deps.db, id), [auditWrite(author, entry, deps)])) return;
  throw new DomainError("conflict", (await isBodyNeeded(deps.db, id)) ? UNHANDLED : "The payload is deleted already.");
}
