import type { Account, AccountRecord, NewAccount } from "@gatehouse/accounts";
import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";
import type { Position } from "@gatehouse/db/query/page";
import { changeAccount } from "@gatehouse/db/stores/accounts/account-change";
import { accountInsert } from "@gatehouse/db/stores/accounts/accounts";
import { and, desc, eq, getTableColumns, inArray, sql } from "drizzle-orm";

/** A user's account at a provider, as an import brings it. */
export type ImportedIdentity = { id: string; provider: string; issuer: string; subject: string; email: string | null };

/** What an import adds besides the account's own row. `totp`: the sealed secret of an authenticator app. */
export type ImportedFactors = { totp: string | undefined; identities: readonly ImportedIdentity[] };

/**
 * Adds an account with its factors, all or none. False if the address is taken. Throws if an identity or external id
 * is.
 */
export function insertImportedAccount(
  db: Db,
  { account, factors }: { account: NewAccount; factors: ImportedFactors },
  also: AccountRecord,
  now: number,
): Promise<boolean> {
  const userId = account.id;
  return changeAccount(
    db,
    { userId, first: accountInsert(db, account), rest: factorInserts(db, userId, factors, now), also },
    now,
  );
}

/** The columns of an existing account that an import can set. Undefined ones stay. */
export type ImportedChange = Partial<Pick<Account, "name" | "locale" | "externalId" | "emailVerifiedAt">> & {
  /** Set only if the account has no password. */
  passwordHash?: string | null;
};

/** Changes an account and adds factors to it, all or none. False if there is no such account. */
export function updateImportedAccount(
  db: Db,
  { userId, change, factors }: { userId: string; change: ImportedChange; factors: ImportedFactors },
  also: AccountRecord,
  now: number,
): Promise<boolean> {
  const { users } = db.tables;
  const { passwordHash, ...columns } = change;
  const first = db
    .update(users)
    .set({
      ...columns,
      id: userId,
      ...((columns.name ?? columns.locale) != null && { profileChangedAt: now }),
      ...(passwordHash != null && { passwordHash: sql`coalesce(${users.passwordHash}, ${passwordHash})` }),
    })
    .where(eq(users.id, userId))
    .returning({ id: users.id });
  return changeAccount(db, { userId, first, rest: factorInserts(db, userId, factors, now), also }, now);
}

function factorInserts(db: Db, userId: string, { totp, identities }: ImportedFactors, now: number): WriteQuery[] {
  const { totpSecrets, identities: known } = db.tables;
  return [
    ...(totp === undefined
      ? []
      : [
          db
            .insert(totpSecrets)
            .values({ userId, secret: totp, lastStep: 0, createdAt: now, lastUsedAt: null })
            .onConflictDoNothing(),
        ]),
    ...identities.map((identity) => db.insert(known).values({ ...identity, userId, createdAt: now, lastUsedAt: null })),
  ];
}

/** Whose these identities are already, in the same order; undefined for an unknown one. */
export async function findIdentityOwners(
  db: ReadDb,
  keys: readonly Pick<ImportedIdentity, "provider" | "issuer" | "subject">[],
): Promise<(string | undefined)[]> {
  const { identities: t } = db.tables;
  const owners: (string | undefined)[] = [];
  for (const { provider, issuer, subject } of keys) {
    const [row] = await db
      .select({ userId: t.userId })
      .from(t)
      .where(and(eq(t.provider, provider), eq(t.issuer, issuer), eq(t.subject, subject)));
    owners.push(row?.userId);
  }
  return owners;
}

export async function hasTotp(db: ReadDb, userId: string): Promise<boolean> {
  const { totpSecrets: t } = db.tables;
  const rows = await db.select({ userId: t.userId }).from(t).where(eq(t.userId, userId));
  return rows.length > 0;
}

/** An account as an export shows it. */
export type ExportRow = Account & { passwordHash: string | null; identities: Omit<ImportedIdentity, "id">[] };

/** The next accounts, newest first, at most `limit`. */
export async function listExportRows(db: ReadDb, position: Position | undefined, limit: number): Promise<ExportRow[]> {
  const { users } = db.tables;
  const below = position && sql`(${users.createdAt}, ${users.id}) < (${position.at}, ${position.id})`;
  const people = await db
    .select(getTableColumns(users))
    .from(users)
    .where(below)
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit);
  return withIdentities(db, people);
}

/** The accounts with these ids, in the same order. */
export async function findExportRows(db: ReadDb, ids: readonly string[]): Promise<ExportRow[]> {
  const { users } = db.tables;
  if (ids.length === 0) return [];
  const found = await db
    .select(getTableColumns(users))
    .from(users)
    .where(inArray(users.id, [...ids]));
  const byId = new Map(found.map((account) => [account.id, account]));
  return withIdentities(
    db,
    ids.flatMap((id) => byId.get(id) ?? []),
  );
}

async function withIdentities<One extends { id: string }>(db: ReadDb, people: readonly One[]) {
  const { identities: t } = db.tables;
  if (people.length === 0) return [];
  const ids = people.map(({ id }) => id);
  const found = await db
    .select({ userId: t.userId, provider: t.provider, issuer: t.issuer, subject: t.subject, email: t.email })
    .from(t)
    .where(inArray(t.userId, ids))
    .orderBy(t.createdAt, t.id);
  return people.map((account) => ({
    ...account,
    identities: found.filter(({ userId }) => userId === account.id).map(({ userId: _, ...identity }) => identity),
  }));
}
