import type { Db } from "@gatehouse/db/query/db";
import { eq, gte, isNull } from "drizzle-orm";
import type { AuditChain, SealedRow } from "../audit/chain-queries.ts";

type Unsealed = {
  [Column in keyof SealedRow]: SealedRow[Column] | (Column extends "number" | "hash" | "mac" | "keyId" ? null : never);
};

/** What somebody with the database can do to the audit log, for tests of the chain. */
export function auditTampering(db: Db) {
  const { audit, auditChain } = db.tables;
  return {
    change: (number: number, change: Partial<Unsealed>) => db.update(audit).set(change).where(eq(audit.number, number)),
    changeAll: (change: Partial<Omit<SealedRow, "number">> & { number: null }) => db.update(audit).set(change),
    insert: (row: SealedRow) => db.insert(audit).values(row),
    remove: (number: number) => db.delete(audit).where(eq(audit.number, number)),
    cutOff: (from: number) => db.delete(audit).where(gte(audit.number, from)),
    changeChain: (change: Partial<AuditChain>) => db.update(auditChain).set(change),
    removeChain: () => db.delete(auditChain),
    unsealed: () => db.select({ id: audit.id }).from(audit).where(isNull(audit.number)),
  };
}
