import { type AccountRecord, type Identity, type IdentityKey, type NewAccount, WHAT_ENDS } from "@gatehouse/accounts";
import { and, asc, eq, exists, isNull, sql } from "drizzle-orm";
import { isUniqueViolation } from "../../errors/unique-violation.ts";
import type { Db, ReadDb } from "../../query/db.ts";
import { changeAccount, lockAccount } from "./account-change.ts";
import { accountRecordWrites } from "./account-records.ts";
import { accountInsert } from "./accounts.ts";
import { revocationWrites } from "./revocation.ts";
import { discardUntrustedAccess } from "./untrusted-accounts.ts";

export async function findIdentity(db: ReadDb, key: IdentityKey): Promise<Identity | undefined> {
  const { identities: i } = db.tables;
  const matching = and(eq(i.provider, key.provider), eq(i.issuer, key.issuer), eq(i.subject, key.subject));
  const [row] = await db.select().from(i).where(matching);
  return row;
}

/** Oldest first. */
export function listIdentities(db: ReadDb, userId: string): Promise<Identity[]> {
  const { identities: i } = db.tables;
  return db.select().from(i).where(eq(i.userId, userId)).orderBy(asc(i.createdAt), asc(i.id));
}

/**
 * Connects an identity. "taken" if it belongs to anybody already, "stale" if the account changed since its epoch was
 * read. UP-08, WE-03.
 */
export async function insertIdentity(
  db: Db,
  identity: Identity,
  { signInEpoch }: { signInEpoch: number },
  also: AccountRecord,
): Promise<"connected" | "taken" | "stale"> {
  const { userId, createdAt: now } = identity;
  const rest = [db.insert(db.tables.identities).values(identity)];
  try {
    return (await changeAccount(db, { userId, first: lockAccount(db, userId, signInEpoch), rest, also }, now))
      ? "connected"
      : "stale";
  } catch (thrown) {
    if (isUniqueViolation(thrown) && (await findIdentity(db, identity))) return "taken";
    throw thrown;
  }
}

/** Adds an account with its first identity. False, without effect, if the address or the identity is taken. UP-09. */
export async function insertAccountWithIdentity(
  db: Db,
  account: NewAccount,
  identity: Identity,
  also: AccountRecord,
): Promise<boolean> {
  const { tables } = db;
  try {
    return await db.guarded(accountInsert(db, account), [
      db.insert(tables.identities).values(identity),
      ...accountRecordWrites(db, also),
    ]);
  } catch (thrown) {
    // The unique key rejected the identity: another request has just made this user's account, and nothing of this one
    // was written.
    if (await findIdentity(db, identity)) return false;
    throw thrown;
  }
}

/**
 * Connects an identity that proves the account's address, and marks the address as proved. With `empties`, everything
 * else goes from the account first, unless its owner was verified a moment ago. False, without effect, if the account
 * has another address or is disabled, or the identity belongs to anybody already. RG-05.
 */
export async function claimWithIdentity(
  db: Db,
  { identity, email, empties }: { identity: Identity; email: string; empties: boolean },
  also: AccountRecord,
  now: number,
): Promise<boolean> {
  const { users, identities: i } = db.tables;
  const { userId } = identity;
  const proof = { emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${now})` };
  const current = and(eq(users.id, userId), eq(users.email, email), isNull(users.disabledAt));
  const rest = [
    ...(empties ? discardUntrustedAccess(db, userId, now) : [db.update(users).set(proof).where(eq(users.id, userId))]),
    db.insert(i).values(identity),
  ];
  // Changes nothing: it locks the row, so that two proofs at once follow each other.
  const first = db.update(users).set({ email }).where(current).returning({ id: users.id });
  try {
    return await changeAccount(db, { userId, first, rest, also }, now);
  } catch (thrown) {
    if (await findIdentity(db, identity)) return false; // rejected by its unique key
    throw thrown;
  }
}

/** Records a sign-in. False if the identity is gone. */
export async function touchIdentity(
  db: Db,
  id: string,
  seen: { email: string | null; lastUsedAt: number },
): Promise<boolean> {
  const { identities: i } = db.tables;
  const touched = await db.update(i).set(seen).where(eq(i.id, id)).returning({ id: i.id });
  return touched.length === 1;
}

/**
 * Disconnects an identity, and ends the user's other sessions and unfinished sign-ins. False, without effect, if the
 * user has no such identity or if the sign-in epoch has changed: something else was removed at the same time, and this
 * may be the last way in. WA-12.
 */
export async function deleteIdentity(
  db: Db,
  { userId, id, signInEpoch, keep }: { userId: string; id: string; signInEpoch: number; keep: string },
  also: AccountRecord,
  now: number,
): Promise<boolean> {
  const { users, identities: i } = db.tables;
  const connected = db
    .select({ id: i.id })
    .from(i)
    .where(and(eq(i.id, id), eq(i.userId, userId)));
  // Locks the user's row: of two removals at once, the second one finds another epoch.
  const first = db
    .update(users)
    .set({ signInEpoch: sql`${users.signInEpoch} + 1` })
    .where(and(eq(users.id, userId), eq(users.signInEpoch, signInEpoch), exists(connected)))
    .returning({ id: users.id });
  const rest = [
    db.delete(i).where(and(eq(i.id, id), eq(i.userId, userId))),
    ...revocationWrites(
      db,
      WHAT_ENDS.factor_removed,
      { userId, sessionId: keep, reason: "a sign-in provider was removed" },
      now,
    ),
  ];
  return changeAccount(db, { userId, first, rest, also }, now);
}
