import type { AuditRow } from "@gatehouse/db/audit";
import type { OperationDeps } from "../deps.ts";
import { type Author, SERVER } from "../permissions.ts";
import type { AuditAction } from "./actions.ts";
import { auditRow } from "./entry.ts";

/** A row about the audit log itself, by default of the server. Has every column, so that it can be sealed at once. */
export function rowAboutLog(
  action: AuditAction,
  detail: Record<string, unknown>,
  deps: Pick<OperationDeps, "now" | "random">,
  author: Author | undefined = undefined,
): Required<AuditRow> {
  const {
    objectName = null,
    userAgent = null,
    requestId = null,
    ...row
  } = auditRow(author ?? SERVER, { action, object: "audit", objectName: "Audit log", detail }, deps);
  return { ...row, objectName, userAgent, requestId, ...(author === undefined && { role: "server" }) };
}
