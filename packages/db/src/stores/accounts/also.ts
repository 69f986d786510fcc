import type { Also } from "@gatehouse/accounts";
import { auditInsert } from "../../audit.ts";
import type { Handle, WriteQuery } from "../../query/handle.ts";
import { mailWrites } from "../jobs/mails.ts";

/** Writes mails, events and audit rows alone, without a change of an account or after it. */
export async function saveAccountRecord(handle: Handle, also: Also): Promise<void> {
  const writes = accountRecordWrites(handle, also);
  if (writes.length > 0) await handle.transaction(writes);
}

/** The writes of the mails, events and audit rows that belong to a change of an account, for its transaction. */
export function accountRecordWrites(handle: Handle, { mails = [], events = [], audit = [] }: Also): WriteQuery[] {
  const { db, tables } = handle;
  return [
    ...mails.flatMap((mail) => mailWrites(handle, mail)),
    ...events.map((event) => db.insert(tables.accountEvents).values(event)),
    ...audit.map((row) => auditInsert(handle, row)),
  ];
}
