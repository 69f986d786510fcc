import { type AccountRecord, type FactorOwner, type TotpRemoval, type TotpRow, WHAT_ENDS } from "@gatehouse/accounts";
import type { Hash } from "@gatehouse/auth";
import { and, count, eq, isNull, lt, sql } from "drizzle-orm";
import { isUniqueViolation } from "../../errors/unique-violation.ts";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { changeAccount, lockAccount } from "./account-change.ts";
import { revocationWrites } from "./revocation.ts";

export async function findTotp(db: ReadDb, userId: string): Promise<TotpRow | undefined> {
  const { totpSecrets } = db.tables;
  const { secret, lastStep, createdAt, lastUsedAt } = totpSecrets;
  const [row] = await db
    .select({ secret, lastStep, createdAt, lastUsedAt })
    .from(totpSecrets)
    .where(eq(totpSecrets.userId, userId));
  return row;
}

/**
 * Turns the app on, and replaces the recovery codes if there are new ones. "exists" if the user has an app already,
 * "stale" if the account changed since its epoch was read.
 */
export async function addTotp(
  db: Db,
  { userId, signInEpoch }: FactorOwner,
  totp: Omit<TotpRow, "lastUsedAt">,
  codes: readonly Hash[] | undefined,
  also: AccountRecord,
): Promise<"added" | "exists" | "stale"> {
  const { totpSecrets } = db.tables;
  const first = lockAccount(db, userId, signInEpoch);
  const rest = [
    db.insert(totpSecrets).values({ ...totp, userId }),
    ...(codes === undefined ? [] : codeWrites(db, userId, codes, totp.createdAt)),
  ];
  try {
    return (await changeAccount(db, { userId, first, rest, also }, totp.createdAt)) ? "added" : "stale";
  } catch (thrown) {
    if (isUniqueViolation(thrown) && (await findTotp(db, userId))) return "exists";
    throw thrown;
  }
}

/** Spends a time step and those before it; of racing requests one wins. */
export async function spendTotpStep(db: Db, userId: string, step: number, now: number): Promise<boolean> {
  const { totpSecrets } = db.tables;
  const spent = await db
    .update(totpSecrets)
    .set({ lastStep: step, lastUsedAt: now })
    .where(and(eq(totpSecrets.userId, userId), lt(totpSecrets.lastStep, step)))
    .returning({ userId: totpSecrets.userId });
  return spent.length === 1;
}

/** Turns the app off. False if the user's sign-in epoch has changed. */
export function removeTotp(
  db: Db,
  { userId, signInEpoch, sessionId, codes }: TotpRemoval,
  also: AccountRecord,
  now: number,
): Promise<boolean> {
  const { users, totpSecrets, recoveryCodes } = db.tables;
  // The epoch is the lock: two removals at once cannot take the last two factors.
  const first = db
    .update(users)
    .set({ signInEpoch: sql`${users.signInEpoch} + 1` })
    .where(and(eq(users.id, userId), eq(users.signInEpoch, signInEpoch)))
    .returning({ id: users.id });
  const rest = [
    db.delete(totpSecrets).where(eq(totpSecrets.userId, userId)),
    ...(codes ? [db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))] : []),
    ...revocationWrites(db, WHAT_ENDS.factor_removed, { userId, sessionId, reason: "authenticator app removed" }, now),
  ];
  return changeAccount(db, { userId, first, rest, also }, now);
}

/** The number of unused recovery codes. */
export async function countRecoveryCodes(db: ReadDb, userId: string): Promise<number> {
  const { recoveryCodes } = db.tables;
  const [row] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return row?.left ?? 0;
}

/**
 * Voids the earlier codes, used or not. False if the account changed since its epoch was read. Of two at once, the
 * later one's codes stay.
 */
export function replaceRecoveryCodes(
  db: Db,
  { userId, signInEpoch }: FactorOwner,
  codes: readonly Hash[],
  also: AccountRecord,
  now: number,
): Promise<boolean> {
  const first = lockAccount(db, userId, signInEpoch);
  return changeAccount(db, { userId, first, rest: codeWrites(db, userId, codes, now), also }, now);
}

function codeWrites(db: Db, userId: string, codes: readonly Hash[], now: number): WriteQuery[] {
  const { recoveryCodes } = db.tables;
  return [
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    db.insert(recoveryCodes).values(codes.map((hash) => ({ hash, userId, createdAt: now }))),
  ];
}

/** Spends a recovery code. False if it is unknown or used; of racing requests one wins. */
export function spendRecoveryCode(
  db: Db,
  userId: string,
  hash: Hash,
  also: AccountRecord,
  now: number,
): Promise<boolean> {
  const { recoveryCodes } = db.tables;
  const first = db
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(and(eq(recoveryCodes.hash, hash), eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
    .returning({ hash: recoveryCodes.hash });
  return changeAccount(db, { userId, first, also }, now);
}
