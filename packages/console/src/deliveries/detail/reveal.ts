import { auditWrite } from "../../audit/entry.ts";
import type { OperationDeps } from "../../deps.ts";
import { DomainError } from "../../domain-error.ts";
import type { Author } from "../../permissions.ts";
import { type OpenedDelivery, openDelivery } from "./opened-delivery.ts";
import { type PayloadText, payloadText } from "./payload.ts";
import { assertMayReveal } from "./rights.ts";

type Part = Pick<OperationDeps, "db" | "now" | "random">;

/**
 * The payload of a delivery. Leaves an audit row, written before the payload is returned. Throws `not_found`,
 * `forbidden`. CO-56.
 */
export async function revealPayload(id: string, author: Author, deps: Part): Promise<PayloadText> {
  const opened = await openDelivery(id, deps);
  assertMayReveal(author, opened.environment);
  if (opened.row.body === null) throw new DomainError("not_found", "The payload is deleted.");
  await recordReveal(opened, author, {}, deps);
  return payloadText(opened.row.body);
}

/** Writes the audit row of a revealed payload. */
export async function recordReveal(
  { row, environment }: OpenedDelivery,
  author: Author,
  detail: { as?: "curl" },
  deps: Part,
): Promise<void> {
  const what = {
    action: "webhook.reveal" as const,
    object: row.id,
    objectName: row.endpoint,
    environment,
    detail: { endpoint: row.endpoint, ...detail },
  };
  await deps.db.transaction([auditWrite(author, what, deps)]);
}
