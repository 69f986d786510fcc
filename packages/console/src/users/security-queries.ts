import { type AccountRecord, WHAT_ENDS } from "@gatehouse/accounts";
import { type AuditRow, auditColumns } from "@gatehouse/db/audit";
import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";
import { changeAccount } from "@gatehouse/db/stores/accounts/account-change";
import { revocationWrites } from "@gatehouse/db/stores/accounts/revocation";
import { and, count, desc, eq, exists, inArray, isNotNull, isNull, lt, or } from "drizzle-orm";

/** Matches and locks the account, as the first write of a change that sets none of its columns. */
function lockUser(db: Db, userId: string): WriteQuery {
  const { users } = db.tables;
  return db.update(users).set({ id: userId }).where(eq(users.id, userId)).returning({ id: users.id });
}

/** Makes the next sign-in with the password choose a new one. False for an account without a password. UM-03. */
export function requirePasswordChange(db: Db, userId: string, also: AccountRecord, now: number): Promise<boolean> {
  const { users } = db.tables;
  const first = db
    .update(users)
    .set({ mustChangePassword: true })
    .where(and(eq(users.id, userId), isNotNull(users.passwordHash)))
    .returning({ id: users.id });
  return changeAccount(db, { userId, first, also }, now);
}

/**
 * Deletes what a user proves besides a first factor: the authenticator app, recovery codes and passkeys. An account
 * without a password keeps the passkeys that verify their user: they are its way in. Ends every session and grant.
 * False if there is no such user. UM-05.
 */
export function resetSecondFactors(db: Db, userId: string, also: AccountRecord, now: number): Promise<boolean> {
  const { tables: t } = db;
  const withPassword = db
    .select({ id: t.users.id })
    .from(t.users)
    .where(and(eq(t.users.id, userId), isNotNull(t.users.passwordHash)));
  const rest = [
    db.delete(t.totpSecrets).where(eq(t.totpSecrets.userId, userId)),
    db.delete(t.recoveryCodes).where(eq(t.recoveryCodes.userId, userId)),
    db
      .delete(t.passkeys)
      .where(and(eq(t.passkeys.userId, userId), or(eq(t.passkeys.userVerified, false), exists(withPassword)))),
    ...revocationWrites(
      db,
      WHAT_ENDS.second_factors_reset,
      { userId, reason: "second factors reset by an operator" },
      now,
    ),
  ];
  return changeAccount(db, { userId, first: lockUser(db, userId), rest, also }, now);
}

/**
 * Revokes every grant and deletes every consent of a user; sessions continue. False if there is no such user. UM-04.
 */
export function disconnectApps(db: Db, userId: string, also: AccountRecord, now: number): Promise<boolean> {
  const { grants, consents } = db.tables;
  const rest = [
    db
      .update(grants)
      .set({ revokedAt: now, revokedReason: "disconnected by an operator" })
      .where(and(eq(grants.userId, userId), isNull(grants.revokedAt))),
    db.delete(consents).where(eq(consents.userId, userId)),
  ];
  return changeAccount(db, { userId, first: lockUser(db, userId), rest, also }, now);
}

/**
 * Ends the access that the application of this client has to a user in the client's environment: its consents and every
 * grant, offline ones too. False if there is no such user. CO-62.
 */
export function disconnectApp(
  db: Db,
  { userId, clientId }: { userId: string; clientId: string },
  also: AccountRecord,
  now: number,
): Promise<boolean> {
  const { grants, consents, clients } = db.tables;
  const one = db
    .select({ applicationId: clients.applicationId, environment: clients.environment })
    .from(clients)
    .where(eq(clients.id, clientId))
    .as("one");
  const ofApp = db
    .select({ id: clients.id })
    .from(clients)
    .innerJoin(one, and(eq(one.applicationId, clients.applicationId), eq(one.environment, clients.environment)));
  const rest = [
    db
      .update(grants)
      .set({ revokedAt: now, revokedReason: "app disconnected by an operator" })
      .where(and(eq(grants.userId, userId), inArray(grants.clientId, ofApp), isNull(grants.revokedAt))),
    db.delete(consents).where(and(eq(consents.userId, userId), inArray(consents.clientId, ofApp))),
  ];
  return changeAccount(db, { userId, first: lockUser(db, userId), rest, also }, now);
}

/** What a user signs in with, for the console. Nothing secret. */
export type UserSecurity = {
  hasPassword: boolean;
  passwordSetAt: number | null;
  mustChangePassword: boolean;
  totp: { createdAt: number; lastUsedAt: number | null } | null;
  recoveryCodes: number;
  passkeys: { name: string; createdAt: number; lastUsedAt: number | null }[];
  identities: { provider: string; email: string | null; createdAt: number; lastUsedAt: number | null }[];
};

/** More than any user has. */
const MOST_FACTORS = 50;

/** Undefined if there is no such user. */
export async function findUserSecurity(db: ReadDb, userId: string): Promise<UserSecurity | undefined> {
  const { tables: t } = db;
  const { users, passkeys, identities, totpSecrets, recoveryCodes } = t;
  const [user] = await db
    .select({
      passwordHash: users.passwordHash,
      passwordSetAt: users.passwordSetAt,
      mustChangePassword: users.mustChangePassword,
    })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) return undefined;
  const times = { createdAt: totpSecrets.createdAt, lastUsedAt: totpSecrets.lastUsedAt };
  const [totp] = await db.select(times).from(totpSecrets).where(eq(totpSecrets.userId, userId));
  const [codes] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return {
    hasPassword: user.passwordHash !== null,
    passwordSetAt: user.passwordSetAt,
    mustChangePassword: user.mustChangePassword,
    totp: totp ?? null,
    recoveryCodes: codes?.left ?? 0,
    passkeys: await db
      .select({ name: passkeys.name, createdAt: passkeys.createdAt, lastUsedAt: passkeys.lastUsedAt })
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(passkeys.createdAt)
      .limit(MOST_FACTORS),
    identities: await db
      .select({
        provider: identities.provider,
        email: identities.email,
        createdAt: identities.createdAt,
        lastUsedAt: identities.lastUsedAt,
      })
      .from(identities)
      .where(eq(identities.userId, userId))
      .orderBy(identities.createdAt)
      .limit(MOST_FACTORS),
  };
}

/** The audit rows about one object, newest first, below the id `before`. */
export async function listAuditOf(
  db: ReadDb,
  { object, before, limit }: { object: string; before?: string | undefined; limit: number },
): Promise<AuditRow[]> {
  const { audit } = db.tables;
  return db
    .select(auditColumns(audit))
    .from(audit)
    .where(and(eq(audit.object, object), before === undefined ? undefined : lt(audit.id, before)))
    .orderBy(desc(audit.id))
    .limit(limit);
}
