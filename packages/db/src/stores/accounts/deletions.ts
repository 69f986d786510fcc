import { type AccountRecord, WHAT_ENDS } from "@gatehouse/accounts";
import { and, eq, isNull, lte } from "drizzle-orm";
import type { Db } from "../../query/db.ts";
import { changeAccount } from "./account-change.ts";
import { accountRecordWrites } from "./account-records.ts";
import { revocationWrites } from "./revocation.ts";
import { lockAdmins, notTheLastAdmin } from "./user-changes.ts";

/**
 * Ends all access and marks the account for deletion. False for the last admin, and for an account that is marked
 * already. RG-10.
 */
export async function requestDeletion(
  db: Db,
  { userId, deleteAfter, by = "its user" }: { userId: string; deleteAfter: number; by?: "its user" | "an operator" },
  also: AccountRecord,
  now: number,
): Promise<boolean> {
  const { tables } = db;
  const { users } = tables;
  const first = db
    .update(users)
    .set({ deleteAfter })
    .where(and(eq(users.id, userId), isNull(users.deleteAfter), notTheLastAdmin(tables)))
    .returning({ id: users.id });
  const rest = revocationWrites(db, WHAT_ENDS.deletion_requested, { userId, reason: `account deleted by ${by}` }, now);
  return changeAccount(db, { userId, first, rest, also, lock: lockAdmins(db) }, now);
}

/** Deletes an account whose grace period has ended. */
export async function deleteAccount(db: Db, userId: string, now: number): Promise<void> {
  const { users } = db.tables;
  await db.delete(users).where(and(eq(users.id, userId), lte(users.deleteAfter, now)));
}

/** Cancels a pending deletion. False if the account is no longer scheduled for this time. */
export function restoreAccount(
  db: Db,
  { userId, deleteAfter }: { userId: string; deleteAfter: number },
  also: AccountRecord,
): Promise<boolean> {
  const { users } = db.tables;
  const first = db
    .update(users)
    .set({ deleteAfter: null })
    .where(and(eq(users.id, userId), eq(users.deleteAfter, deleteAfter)))
    .returning({ id: users.id });
  return db.guarded(first, accountRecordWrites(db, also));
}
