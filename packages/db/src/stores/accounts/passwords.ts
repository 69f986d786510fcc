import {
  type AccountRecord,
  type PasswordChange,
  type PasswordReset,
  type ResetFacts,
  type UndoneChange,
  WHAT_ENDS,
} from "@gatehouse/accounts";
import type { Hash } from "@gatehouse/auth";
import { and, desc, eq, exists, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { changeAccount } from "./account-change.ts";
import { mailedTokenSpend } from "./mailed-tokens.ts";
import { revocationWrites } from "./revocation.ts";
import { discardUntrustedAccess } from "./untrusted-accounts.ts";

const MOST_NAMES = 500;

/** Replaces a hash by a stronger one of the same password. Nothing happens if it is no longer `old`. PW-05. */
export async function strengthenPasswordHash(
  db: Db,
  { userId, old, hash }: { userId: string; old: string; hash: string },
): Promise<void> {
  const { users } = db.tables;
  await db
    .update(users)
    .set({ passwordHash: hash })
    .where(and(eq(users.id, userId), eq(users.passwordHash, old)));
}

/** Makes the next sign-in with the password choose a new one. Nothing happens if the hash is no longer `old`. PW-04. */
export async function markPasswordBreached(db: Db, { userId, old }: { userId: string; old: string }): Promise<void> {
  const { users } = db.tables;
  await db
    .update(users)
    .set({ mustChangePassword: true })
    .where(and(eq(users.id, userId), eq(users.passwordHash, old)));
}

/**
 * Sets a new password and ends what the change ends. False if the hash is no longer `old`, the account is disabled, or
 * something has ended its earlier sign-ins since `signInEpoch`. PW-08.
 */
export function changePassword(
  db: Db,
  { userId, signInEpoch, old, hash, ends, sessionId }: PasswordChange,
  now: number,
  also: AccountRecord,
): Promise<boolean> {
  const { users } = db.tables;
  const unchanged = and(
    eq(users.signInEpoch, signInEpoch),
    old === null ? isNull(users.passwordHash) : eq(users.passwordHash, old),
  );
  const first = passwordUpdate(db, { userId, hash }, now)
    .where(and(eq(users.id, userId), unchanged, isNull(users.disabledAt)))
    .returning({ id: users.id });
  const rest = revocationWrites(db, ends, { userId, sessionId, reason: "the password was changed" }, now);
  return changeAccount(db, { userId, first, rest, also }, now);
}

/**
 * Spends a reset link and sets the password, in one transaction. An account that nobody proved is emptied first
 * (RG-05); the address is verified, and every session and grant ends. False if the link is dead or the recovery code
 * was used. FP-03.
 */
export function resetPassword(
  db: Db,
  { token, userId, hash, recoveryCode }: PasswordReset,
  now: number,
  also: AccountRecord,
): Promise<boolean> {
  const { users, recoveryCodes } = db.tables;
  const unused = (code: Hash) =>
    and(eq(recoveryCodes.hash, code), eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt));
  const rest: WriteQuery[] = [];
  if (recoveryCode !== undefined) rest.push(db.update(recoveryCodes).set({ usedAt: now }).where(unused(recoveryCode)));
  rest.push(
    ...discardUntrustedAccess(db, userId, now),
    passwordUpdate(db, { userId, hash }, now).where(eq(users.id, userId)),
    ...revocationWrites(db, WHAT_ENDS.password_reset, { userId, reason: "the password was reset" }, now),
  );
  const code =
    recoveryCode === undefined
      ? undefined
      : exists(db.select({ hash: recoveryCodes.hash }).from(recoveryCodes).where(unused(recoveryCode)));
  return changeAccount(db, { userId, first: mailedTokenSpend(db, token, now, code), rest, also }, now);
}

function passwordUpdate(db: Db, { hash }: { userId: string; hash: string }, now: number) {
  const { users } = db.tables;
  return db.update(users).set({ passwordHash: hash, passwordSetAt: now, mustChangePassword: false });
}

/** What stands in for a password, or did before an instant. All false for an id that no account has. FP-07. */
export async function findResetFacts(db: ReadDb, userId: string, addedBefore?: number): Promise<ResetFacts> {
  const { users, passkeys, recoveryCodes } = db.tables;
  const before = (column: PgColumn) => (addedBefore === undefined ? undefined : lt(column, addedBefore));
  const there = (query: SQL) => sql<number>`case when ${query} then 1 else 0 end`;
  const [row] = await db
    .select({
      password: there(sql`${users.passwordHash} is not null`),
      passkeys: there(
        exists(
          db
            .select({ one: sql`1` })
            .from(passkeys)
            .where(and(eq(passkeys.userId, users.id), before(passkeys.createdAt))),
        ),
      ),
      codes: there(
        exists(
          db
            .select({ one: sql`1` })
            .from(recoveryCodes)
            .where(
              and(eq(recoveryCodes.userId, users.id), isNull(recoveryCodes.usedAt), before(recoveryCodes.createdAt)),
            ),
        ),
      ),
    })
    .from(users)
    .where(eq(users.id, userId));
  return { hasPassword: row?.password === 1, hasPasskeys: row?.passkeys === 1, hasRecoveryCodes: row?.codes === 1 };
}

/** Events that end what an undone change allows. */
const PASSWORD_SET = ["password_reset", "password_changed"] as const;

/** The newest undone change of the address, if no password was set since. EA-03. */
export async function findUndoneChange(db: ReadDb, userId: string): Promise<UndoneChange | undefined> {
  const { accountEvents: e } = db.tables;
  const [newest] = await db
    .select({ kind: e.kind, at: e.at, detail: e.detail })
    .from(e)
    .where(and(eq(e.userId, userId), inArray(e.kind, ["email_change_undone", ...PASSWORD_SET])))
    .orderBy(desc(e.id))
    .limit(1);
  return newest?.kind === "email_change_undone"
    ? { at: newest.at, hadPassword: newest.detail["had_password"] === true }
    : undefined;
}

/** Names of applications, up to 500. PW-03. */
export async function listApplicationNames(db: ReadDb): Promise<string[]> {
  const { applications } = db.tables;
  const rows = await db.select({ name: applications.name }).from(applications).limit(MOST_NAMES);
  return rows.map(({ name }) => name);
}
