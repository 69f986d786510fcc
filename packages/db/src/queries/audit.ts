import type { Environment } from "@gatehouse/auth";
import type { Handle, WriteQuery } from "../query/handle.ts";

export type AuditRow = {
  /** Time-ordered. */
  id: string;
  /** Unix seconds. */
  at: number;
  actorId: string;
  actorName: string;
  role: string;
  via: "console" | "cli" | "api";
  action: string;
  object: string;
  environment: Environment | null;
  detail: Record<string, unknown>;
  address: string | null;
};

/** The insert of one row, for the transaction of what it records. CO-64. */
export function auditInsert({ db, tables: { audit } }: Handle, row: AuditRow): WriteQuery {
  return db.insert(audit).values(row);
}
