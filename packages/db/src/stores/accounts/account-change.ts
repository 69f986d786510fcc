import type { AccountRecord } from "@gatehouse/accounts";
import { and, eq, isNull } from "drizzle-orm";
import type { Db, WriteQuery } from "../../query/db.ts";
import { accountRecordWrites } from "./account-records.ts";
import { logoutNoticesOf } from "./logout-notices.ts";

/** A change of one account. */
export type AccountChange = {
  userId: string;
  /** Decides whether the change happens: a write with `returning()`. If it returns no row, nothing else is written. */
  first: WriteQuery;
  /** Further writes, in order: those of `revocationWrites` and `discardUntrustedAccess`, for example. */
  rest?: readonly WriteQuery[];
  /** Runs before `first`. */
  lock?: WriteQuery | undefined;
  also?: AccountRecord | undefined;
};

/**
 * Changes nothing, and locks the account's row until the end of the transaction. As the first write of a change it
 * returns no row if the account is disabled or something has raised its sign-in epoch since it was read, and of changes
 * at once each one sees what the one before it wrote.
 */
export function lockAccount(db: Db, userId: string, signInEpoch: number): WriteQuery {
  const { users } = db.tables;
  return db
    .update(users)
    .set({ signInEpoch })
    .where(and(eq(users.id, userId), eq(users.signInEpoch, signInEpoch), isNull(users.disabledAt)))
    .returning({ id: users.id });
}

/**
 * Makes a change, and tells the clients of the sessions that it ended, in one transaction. False, without effect, if
 * `first` returned no row. OpenID Connect Back-Channel Logout.
 */
export function changeAccount(
  db: Db,
  { userId, first, rest = [], also = {}, lock }: AccountChange,
  now: number,
): Promise<boolean> {
  return db.guarded(first, [...rest, logoutNoticesOf(db, userId, now), ...accountRecordWrites(db, also)], lock);
}
