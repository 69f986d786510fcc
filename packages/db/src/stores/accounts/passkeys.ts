import {
  type Account,
  type AccountRecord,
  MAX_PASSKEYS,
  type Passkey,
  type PasskeyUse,
  WHAT_ENDS,
} from "@gatehouse/accounts";
import { and, asc, eq, exists, getTableColumns, isNull, notInArray, or, sql } from "drizzle-orm";
import { isUniqueViolation } from "../../errors/unique-violation.ts";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { changeAccount, lockAccount } from "./account-change.ts";
import { accountRecordWrites } from "./account-records.ts";
import { revocationWrites } from "./revocation.ts";

/** The passkey with its owner, enabled or not. */
export async function findPasskey(
  db: ReadDb,
  credentialId: string,
): Promise<{ passkey: Passkey; account: Account } | undefined> {
  const { passkeys, users } = db.tables;
  const { passwordHash: _, ...account } = getTableColumns(users);
  const [row] = await db
    .select({ passkey: passkeys, account })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialId, credentialId));
  return row;
}

/** Oldest first. */
export function listPasskeys(db: ReadDb, userId: string): Promise<Passkey[]> {
  const { passkeys } = db.tables;
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.credentialId));
}

/** The state of an account that a change was decided on. */
type DecidedOn = { signInEpoch: number };

/**
 * Adds a passkey and, with the first one, the user's WebAuthn id. "stale" if the account changed since `signInEpoch`
 * was read, has another WebAuthn id, or the most passkeys already, "taken" if the credential is registered already.
 */
export async function addPasskey(
  db: Db,
  passkey: Passkey,
  { webauthnUserId, signInEpoch }: DecidedOn & { webauthnUserId: string },
  also: AccountRecord,
  now: number,
): Promise<"added" | "stale" | "taken"> {
  const { users, passkeys } = db.tables;
  const { userId } = passkey;
  const hasRoom = sql`(select count(*) from ${passkeys} where ${eq(passkeys.userId, userId)}) < ${MAX_PASSKEYS}`;
  const first = db
    .update(users)
    .set({ webauthnUserId })
    .where(
      and(
        eq(users.id, userId),
        eq(users.signInEpoch, signInEpoch),
        isNull(users.disabledAt),
        or(isNull(users.webauthnUserId), eq(users.webauthnUserId, webauthnUserId)),
        hasRoom,
      ),
    )
    .returning({ id: users.id });
  // The condition counts other rows, so of two at once the second one has to wait before it counts.
  const lock = lockAccount(db, userId, signInEpoch);
  try {
    const added = await changeAccount(db, { userId, first, rest: [passkeyInsert(db, passkey)], lock, also }, now);
    return added ? "added" : "stale";
  } catch (thrown) {
    if (isUniqueViolation(thrown)) return "taken";
    throw thrown;
  }
}

export function passkeyInsert(db: Db, passkey: Passkey): WriteQuery {
  const { passkeys } = db.tables;
  return db
    .insert(passkeys)
    .values({ ...passkey, publicKey: Buffer.from(passkey.publicKey), transports: [...passkey.transports] });
}

/**
 * Removes a passkey, and ends what the removal of a factor ends. False, without effect, if it is gone or the account
 * changed since the epoch was read: every removal raises it, so of two at once, the later one has to decide again.
 * WA-12.
 */
export function removePasskey(
  db: Db,
  { userId, credentialId }: { userId: string; credentialId: string },
  { signInEpoch, sessionId }: DecidedOn & { sessionId: string },
  also: AccountRecord,
  now: number,
): Promise<boolean> {
  const { users, passkeys } = db.tables;
  const mine = and(eq(passkeys.userId, userId), eq(passkeys.credentialId, credentialId));
  // Locks the account. The epoch stays here, and is raised by what ends.
  const first = db
    .update(users)
    .set({ signInEpoch })
    .where(
      and(
        eq(users.id, userId),
        eq(users.signInEpoch, signInEpoch),
        exists(db.select({ id: passkeys.credentialId }).from(passkeys).where(mine)),
      ),
    )
    .returning({ id: users.id });
  const ends = revocationWrites(db, WHAT_ENDS.factor_removed, { userId, sessionId, reason: "passkey removed" }, now);
  return changeAccount(db, { userId, first, rest: [db.delete(passkeys).where(mine), ...ends], also }, now);
}

/** Records a use. False if the passkey is gone, or its counter has changed. */
export function usePasskey(
  db: Db,
  credentialId: string,
  { counterBefore, counter, backedUp, usedAt }: PasskeyUse,
  also: AccountRecord,
): Promise<boolean> {
  const { passkeys } = db.tables;
  const use = db
    .update(passkeys)
    .set({ counter, backedUp, lastUsedAt: usedAt })
    .where(and(eq(passkeys.credentialId, credentialId), eq(passkeys.counter, counterBefore)))
    .returning({ id: passkeys.credentialId });
  return db.guarded(use, accountRecordWrites(db, also));
}

export async function renamePasskey(
  db: Db,
  { userId, credentialId, name }: PasskeyName,
  also: AccountRecord,
): Promise<boolean> {
  const { passkeys } = db.tables;
  const renamed = db
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.userId, userId), eq(passkeys.credentialId, credentialId)))
    .returning({ id: passkeys.credentialId });
  return db.guarded(renamed, accountRecordWrites(db, also));
}

type PasskeyName = { userId: string; credentialId: string; name: string };

/** An RP ID of stored passkeys that is not in `known`; undefined if there is none. WA-01. */
export async function findOtherRpId(db: ReadDb, known: readonly string[]): Promise<string | undefined> {
  const { passkeys } = db.tables;
  const [row] = await db
    .select({ rpId: passkeys.rpId })
    .from(passkeys)
    .where(known.length > 0 ? notInArray(passkeys.rpId, [...known]) : undefined)
    .limit(1);
  return row?.rpId;
}
