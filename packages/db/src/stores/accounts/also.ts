import type { Also } from "@gatehouse/accounts";
import { auditInsert } from "../../audit.ts";
import type { Handle, WriteQuery } from "../../query/handle.ts";
import { mailWrites } from "../jobs/mails.ts";

/** Writes them alone, for a change that is made already. */
export async function saveAlso(handle: Handle, also: Also): Promise<void> {
  const writes = alsoWrites(handle, also);
  if (writes.length > 0) await handle.transaction(writes);
}

/** The writes that belong to a change of an account, for its transaction. */
export function alsoWrites(handle: Handle, { mails = [], events = [], audit = [] }: Also): WriteQuery[] {
  const { db, tables } = handle;
  return [
    ...mails.flatMap((mail) => mailWrites(handle, mail)),
    ...events.map((event) => db.insert(tables.accountEvents).values(event)),
    ...audit.map((row) => auditInsert(handle, row)),
  ];
}

/** Writes what belongs to no change: an event or a mail alone. */
export async function record(handle: Handle, also: Also): Promise<void> {
  await handle.transaction(alsoWrites(handle, also));
}
