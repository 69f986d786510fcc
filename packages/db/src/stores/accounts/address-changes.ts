import {
  type AccountRecord,
  type AddressChange,
  type AddressUndo,
  type NewMailedToken,
  WHAT_ENDS,
} from "@gatehouse/accounts";
import { and, eq, gte, ne, sql } from "drizzle-orm";
import { isUniqueViolation } from "../../errors/unique-violation.ts";
import type { Db, WriteQuery } from "../../query/db.ts";
import { type AccountChange, changeAccount } from "./account-change.ts";
import { accountRecordWrites } from "./account-records.ts";
import { mailedTokenSpend, mailedTokenWrites } from "./mailed-tokens.ts";
import { revocationWrites } from "./revocation.ts";
import { hasVerifiedOwner } from "./untrusted-accounts.ts";

/**
 * Saves the token of a change of address and deletes the account's earlier ones: there is one pending change. EA-02.
 */
export async function saveAddressChange(db: Db, token: NewMailedToken, also: AccountRecord): Promise<void> {
  const { tables } = db;
  await db.transaction([
    ...(token.userId === null ? [] : [pendingChanges(db, token.userId)]),
    db.insert(tables.mailedTokens).values(token),
    ...accountRecordWrites(db, also),
  ]);
}

function pendingChanges(db: Db, userId: string): WriteQuery {
  const { mailedTokens } = db.tables;
  return db.delete(mailedTokens).where(and(eq(mailedTokens.userId, userId), eq(mailedTokens.purpose, "email_change")));
}

/**
 * Switches an account to its new address. The token dies with every earlier change of the account, so it needs no other
 * check. EA-03.
 */
export async function changeAddress(
  db: Db,
  { userId, to, token, sessionId, undo }: AddressChange,
  also: AccountRecord,
  now: number,
): Promise<"changed" | "stale" | "taken"> {
  const { users, mailedTokens } = db.tables;
  const first = mailedTokenSpend(db, token, now);
  const rest = [
    db.update(users).set({ email: to, emailVerifiedAt: now, profileChangedAt: now }).where(eq(users.id, userId)),
    ...revocationWrites(db, WHAT_ENDS.email_changed, { userId, sessionId, reason: "email address changed" }, now),
    ...(undo ? [db.insert(mailedTokens).values(undo)] : []),
  ];
  const changed = await unlessTaken(db, { userId, first, rest, also }, now);
  return changed === "taken" ? "taken" : changed ? "changed" : "stale";
}

/**
 * Restores an earlier address, removes what came into the account since, and saves the link of the reset that follows.
 * The undo link proves the address, so an account without a verified owner that took the address since is deleted.
 * EA-03.
 */
export async function undoAddressChange(
  db: Db,
  { userId, to, token, changedAt, reset }: AddressUndo,
  also: AccountRecord,
  now: number,
): Promise<"undone" | "stale" | "taken"> {
  const { tables: t } = db;
  const first = mailedTokenSpend(db, token, now);
  const laterUndo = and(
    ...[eq(t.mailedTokens.userId, userId), eq(t.mailedTokens.purpose, "email_undo")],
    ...[gte(t.mailedTokens.createdAt, changedAt), ne(t.mailedTokens.hash, token)],
  );
  const squatter = and(eq(t.users.email, to), ne(t.users.id, userId), sql`not coalesce(${hasVerifiedOwner(t)}, false)`);
  const raisedEpoch = sql`(select ${t.users.signInEpoch} from ${t.users} where ${t.users.id} = ${userId})`;
  const rest = [
    db.delete(t.users).where(squatter),
    db
      .update(t.users)
      .set({ email: to, emailVerifiedAt: now, passwordHash: null, passwordSetAt: null, deleteAfter: null })
      .where(eq(t.users.id, userId)),
    db.delete(t.passkeys).where(and(eq(t.passkeys.userId, userId), gte(t.passkeys.createdAt, changedAt))),
    db.delete(t.totpSecrets).where(and(eq(t.totpSecrets.userId, userId), gte(t.totpSecrets.createdAt, changedAt))),
    db
      .delete(t.recoveryCodes)
      .where(and(eq(t.recoveryCodes.userId, userId), gte(t.recoveryCodes.createdAt, changedAt))),
    db.delete(t.identities).where(and(eq(t.identities.userId, userId), gte(t.identities.createdAt, changedAt))),
    pendingChanges(db, userId),
    // Undo links of later changes went to the address that an attacker may have set.
    db.delete(t.mailedTokens).where(laterUndo),
    ...revocationWrites(
      db,
      WHAT_ENDS.email_change_undone,
      { userId, reason: "change of the email address undone" },
      now,
    ),
    ...mailedTokenWrites(db, reset, raisedEpoch),
  ];
  const undone = await unlessTaken(db, { userId, first, rest, also }, now);
  return undone === "taken" ? "taken" : undone ? "undone" : "stale";
}

async function unlessTaken(db: Db, change: AccountChange, now: number): Promise<boolean | "taken"> {
  try {
    return await changeAccount(db, change, now);
  } catch (error) {
    if (isUniqueViolation(error)) return "taken";
    throw error;
  }
}
