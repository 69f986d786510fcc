import {
  type AccountRecord,
  type AddressClaim,
  type AddressProof,
  type AddressSpend,
  hasVerifiedOwner as isOwnerVerified,
  type UnverifiedAccount,
} from "@gatehouse/accounts";
import { and, eq, exists, gt, isNull, type SQL, sql } from "drizzle-orm";
import { isUniqueViolation } from "../../errors/unique-violation.ts";
import type { Db, WriteQuery } from "../../query/db.ts";
import { isUnanswered } from "../../schema/index-conditions.ts";
import { changeAccount } from "./account-change.ts";
import { accountRecordWrites } from "./account-records.ts";
import { accountInsert, findAccount, findAccountByEmail } from "./accounts.ts";
import { isLiveUndoLink, mailedTokenSpend } from "./mailed-tokens.ts";
import { passkeyInsert } from "./passkeys.ts";
import { discardUntrustedAccess, hasVerifiedOwner } from "./untrusted-accounts.ts";

/**
 * Adds an account whose address is not proved. False if the address is taken, or a change from it can still be undone:
 * its owner may need it back. RG-02, EA-03.
 */
export async function insertUnverifiedAccount(
  db: Db,
  { passkey, ...account }: UnverifiedAccount,
  also: AccountRecord,
): Promise<boolean> {
  const { tables } = db;
  const undo = isLiveUndoLink(db, account.email, account.createdAt);
  const [reserved] = await db.select({ hash: tables.mailedTokens.hash }).from(tables.mailedTokens).where(undo).limit(1);
  if (reserved) return false;
  const insert = accountInsert(db, { ...account, ...webauthnId(passkey) });
  const rest = [...signInMethodInserts(db, { passkey }, account.id), ...accountRecordWrites(db, also)];
  try {
    return await db.guarded(insert, rest);
  } catch (error) {
    if (isUniqueViolation(error)) return false; // somebody stored the passkey meanwhile
    throw error;
  }
}

type Claimed = { userId: string } | "spent" | "taken";
type SpendAndAlso = { spend: AddressSpend; also: AccountRecord };

/**
 * Spends a proof of an address and gives the address to its owner, in one transaction: adds an account, or takes over
 * the one without a verified owner, emptied. "taken", without effect, also if the identity or the passkey belongs to
 * somebody else already. RG-05.
 */
export async function claimAddress(
  db: Db,
  claim: AddressClaim,
  spend: AddressSpend,
  also: (userId: string) => AccountRecord,
  now: number,
): Promise<Claimed> {
  const existing = await findAccountByEmail(db, claim.email);
  try {
    return await (existing
      ? takeOver(db, existing.id, claim, { spend, also: also(existing.id) }, now)
      : addClaimed(db, claim, { spend, also: also(claim.id) }, now));
  } catch (error) {
    if (isUniqueViolation(error)) return "taken";
    throw error;
  }
}

async function addClaimed(db: Db, claim: AddressClaim, { spend, also }: SpendAndAlso, now: number): Promise<Claimed> {
  const { identity, passkey, ...account } = claim;
  const insert = db.insert(db.tables.users).values({ ...account, ...webauthnId(passkey), emailVerifiedAt: now });
  const rest = [insert, ...signInMethodInserts(db, claim, claim.id), ...accountRecordWrites(db, also)];
  const added = await db.guarded(spendWrite(db, spend, now), rest);
  return added ? { userId: claim.id } : "spent";
}

/**
 * The first write locks the row, and matches only an unverified account with a live proof, so neither can change before
 * the rest.
 */
async function takeOver(
  db: Db,
  userId: string,
  claim: AddressClaim,
  { spend, also }: SpendAndAlso,
  now: number,
): Promise<Claimed> {
  const { tables } = db;
  const { users } = tables;
  const { name, role, registeredBy, passwordHash, passwordSetAt = null, passkey } = claim;
  const unproved = sql`not coalesce(${hasVerifiedOwner(tables)}, false)`;
  const first = db
    .update(users)
    .set({ name })
    .where(and(eq(users.id, userId), unproved, liveProof(db, spend, now)))
    .returning({ id: users.id });
  const rest = [
    spendWrite(db, spend, now),
    ...discardUntrustedAccess(db, userId, now),
    db
      .update(users)
      .set({ role, registeredBy, passwordHash, passwordSetAt, ...webauthnId(passkey) })
      .where(eq(users.id, userId)),
    ...signInMethodInserts(db, claim, userId),
  ];
  if (await changeAccount(db, { userId, first, rest, also }, now)) return { userId };
  const account = await findAccount(db, userId);
  return account && isOwnerVerified(account) ? "taken" : "spent";
}

const webauthnId = (passkey: AddressClaim["passkey"]) =>
  passkey === undefined ? {} : { webauthnUserId: passkey.webauthnUserId };

/** The identity and the passkey that the account begins with. */
function signInMethodInserts(
  db: Db,
  { identity, passkey }: Pick<AddressClaim, "identity" | "passkey">,
  userId: string,
): WriteQuery[] {
  const { tables } = db;
  return [
    ...(identity === undefined ? [] : [db.insert(tables.identities).values({ ...identity, userId })]),
    ...(passkey === undefined ? [] : [passkeyInsert(db, { ...passkey.passkey, userId })]),
  ];
}

function liveProof(db: Db, { kind, hash }: AddressSpend, now: number): SQL | undefined {
  const { mailedTokens, invitations } = db.tables;
  if (kind === "invitation") {
    const usable = and(eq(invitations.hash, hash), isPending(invitations, now));
    return exists(db.select({ id: invitations.id }).from(invitations).where(usable));
  }
  const usable = and(eq(mailedTokens.hash, hash), isNull(mailedTokens.spentAt), gt(mailedTokens.expiresAt, now));
  return exists(db.select({ hash: mailedTokens.hash }).from(mailedTokens).where(usable));
}

const isPending = (invitations: Db["tables"]["invitations"], now: number) =>
  and(isUnanswered(invitations), gt(invitations.expiresAt, now));

function spendWrite(db: Db, { kind, hash }: AddressSpend, now: number): WriteQuery {
  if (kind === "mailed_token") return mailedTokenSpend(db, hash, now);
  const { invitations } = db.tables;
  return db
    .update(invitations)
    .set({ acceptedAt: now })
    .where(and(eq(invitations.hash, hash), isPending(invitations, now)))
    .returning({ id: invitations.id });
}

/** Marks the address of an account as proved, and empties an account without a verified owner. RG-05. */
export async function proveAddress(
  db: Db,
  { userId, email, empties, token, passwordHash }: AddressProof,
  also: AccountRecord,
  now: number,
): Promise<boolean> {
  const { users } = db.tables;
  const unproved = and(eq(users.id, userId), eq(users.email, email), isNull(users.emailVerifiedAt));
  // Without a token the first write only locks the account and finds it unproved.
  const first =
    token === undefined
      ? db.update(users).set({ email }).where(unproved).returning({ id: users.id })
      : mailedTokenSpend(db, token, now);
  const rest = empties
    ? discardUntrustedAccess(db, userId, now)
    : [db.update(users).set({ emailVerifiedAt: now }).where(unproved)];
  if (passwordHash !== undefined) {
    // An account with a verified owner by then is not empty, and keeps its password.
    const justEmptied = and(eq(users.id, userId), isNull(users.passwordHash), eq(users.emailVerifiedAt, now));
    rest.push(db.update(users).set({ passwordHash, passwordSetAt: now }).where(justEmptied));
  }
  return changeAccount(db, { userId, first, rest, also }, now);
}
