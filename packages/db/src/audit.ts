import type { NewAuditRow } from "@gatehouse/accounts";
import type { Db, Tables, WriteQuery } from "./query/db.ts";

export type AuditRow = NewAuditRow;

/** The insert of one row, for the transaction of what it records. CO-64. */
export function auditInsert(db: Db, row: AuditRow): WriteQuery {
  const { audit } = db.tables;
  return db.insert(audit).values(row);
}

/** What a row says, without its place in the chain. */
export const auditColumns = (audit: Tables["audit"]) => ({
  id: audit.id,
  at: audit.at,
  actorId: audit.actorId,
  actorName: audit.actorName,
  role: audit.role,
  via: audit.via,
  action: audit.action,
  object: audit.object,
  objectName: audit.objectName,
  environment: audit.environment,
  detail: audit.detail,
  address: audit.address,
  userAgent: audit.userAgent,
  requestId: audit.requestId,
});
