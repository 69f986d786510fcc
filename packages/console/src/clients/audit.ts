import type { Environment } from "@gatehouse/auth";
import type { WriteQuery } from "@gatehouse/db/query/db";
import { type AuditDeps, type AuditEntry, auditWrite } from "../audit/entry.ts";
import type { Author } from "../permissions.ts";

export type NamedClient = { id: string; name: string; applicationName: string; environment: Environment };

/** The insert of the audit row for a change of a client, or of what belongs to it, such as a secret. CO-64. */
export function clientWrite(
  author: Author,
  { id, name, applicationName, environment }: NamedClient,
  { action, detail = {} }: Pick<AuditEntry, "action" | "detail">,
  deps: AuditDeps,
): WriteQuery {
  return auditWrite(
    author,
    { action, object: id, objectName: `${applicationName} · ${name}`, environment, detail },
    deps,
  );
}
