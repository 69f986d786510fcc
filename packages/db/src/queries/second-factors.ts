import { type Also, type TotpRemoval, type TotpRow, WHAT_ENDS } from "@gatehouse/accounts";
import type { Hash } from "@gatehouse/auth";
import { and, count, eq, isNull, lt, sql } from "drizzle-orm";
import type { Handle, ReadHandle, WriteQuery } from "../query/handle.ts";
import { changeAccount } from "./account-changes.ts";
import { accountEnds } from "./account-ends.ts";
import { alsoWrites } from "./also.ts";

export async function findTotp({ db, tables: { totpSecrets } }: ReadHandle, userId: string): Promise<TotpRow | undefined> {
  const { secret, lastStep, createdAt, lastUsedAt } = totpSecrets;
  const [row] = await db.select({ secret, lastStep, createdAt, lastUsedAt }).from(totpSecrets).where(eq(totpSecrets.userId, userId));
  return row;
}

/** Turns the app on, and replaces the recovery codes if there are new ones. False if the user has an app already. */
export function addTotp(
  handle: Handle,
  userId: string,
  totp: Omit<TotpRow, "lastUsedAt">,
  codes: readonly Hash[] | undefined,
  also: Also,
): Promise<boolean> {
  const { db, tables } = handle;
  const { totpSecrets } = tables;
  const first = db
    .insert(totpSecrets)
    .values({ ...totp, userId })
    .onConflictDoNothing({ target: totpSecrets.userId })
    .returning({ userId: totpSecrets.userId });
  const rest = codes === undefined ? [] : codeWrites(handle, userId, codes, totp.createdAt);
  return changeAccount(handle, { userId, first, rest, also }, totp.createdAt);
}

/** Spends a time step and those before it; of racing requests one wins. */
export async function spendTotpStep({ db, tables: { totpSecrets } }: Handle, userId: string, step: number, now: number): Promise<boolean> {
  const spent = await db
    .update(totpSecrets)
    .set({ lastStep: step, lastUsedAt: now })
    .where(and(eq(totpSecrets.userId, userId), lt(totpSecrets.lastStep, step)))
    .returning({ userId: totpSecrets.userId });
  return spent.length === 1;
}

/** Turns the app off. False if the user's sign-in epoch is another one by now. */
export function removeTotp(
  handle: Handle,
  { userId, signInEpoch, sessionId, codes }: TotpRemoval,
  also: Also,
  now: number,
): Promise<boolean> {
  const { db, tables } = handle;
  const { users, totpSecrets, recoveryCodes } = tables;
  // The epoch is the lock: two removals at once cannot take the last two factors.
  const first = db
    .update(users)
    .set({ signInEpoch: sql`${users.signInEpoch} + 1` })
    .where(and(eq(users.id, userId), eq(users.signInEpoch, signInEpoch)))
    .returning({ id: users.id });
  const rest = [
    db.delete(totpSecrets).where(eq(totpSecrets.userId, userId)),
    ...(codes ? [db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))] : []),
    ...accountEnds(handle, WHAT_ENDS.factor_removed, { userId, sessionId, reason: "authenticator app removed" }, now),
  ];
  return changeAccount(handle, { userId, first, rest, also }, now);
}

/** The number of unused recovery codes. */
export async function countRecoveryCodes({ db, tables: { recoveryCodes } }: ReadHandle, userId: string): Promise<number> {
  const [row] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return row?.left ?? 0;
}

/** Voids the earlier codes, used or not. */
export async function replaceRecoveryCodes(handle: Handle, userId: string, codes: readonly Hash[], also: Also, now: number): Promise<void> {
  await handle.transaction([...codeWrites(handle, userId, codes, now), ...alsoWrites(handle, also)]);
}

function codeWrites({ db, tables: { recoveryCodes } }: Handle, userId: string, codes: readonly Hash[], now: number): WriteQuery[] {
  return [
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    db.insert(recoveryCodes).values(codes.map((hash) => ({ hash, userId, createdAt: now }))),
  ];
}

/** Spends a recovery code. False if it is unknown or used; of racing requests one wins. */
export function spendRecoveryCode(handle: Handle, userId: string, hash: Hash, also: Also, now: number): Promise<boolean> {
  const { recoveryCodes } = handle.tables;
  const first = handle.db
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(and(eq(recoveryCodes.hash, hash), eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
    .returning({ hash: recoveryCodes.hash });
  return changeAccount(handle, { userId, first, also }, now);
}
