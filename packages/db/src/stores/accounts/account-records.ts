import type { AccountRecord } from "@gatehouse/accounts";
import { auditInsert } from "../../audit.ts";
import type { Db, WriteQuery } from "../../query/db.ts";
import { mailWrites } from "../jobs/mails.ts";

/** Writes mails, events and audit rows alone, without a change of an account or after it. */
export async function saveAccountRecord(db: Db, also: AccountRecord): Promise<void> {
  const writes = accountRecordWrites(db, also);
  if (writes.length > 0) await db.transaction(writes);
}

/** The writes of the mails, events and audit rows that belong to a change of an account, for its transaction. */
export function accountRecordWrites(db: Db, { mails = [], events = [], audit = [] }: AccountRecord): WriteQuery[] {
  const { tables } = db;
  return [
    ...mails.flatMap((mail) => mailWrites(db, mail)),
    ...events.map((event) => db.insert(tables.accountEvents).values(event)),
    ...audit.map((row) => auditInsert(db, row)),
  ];
}
