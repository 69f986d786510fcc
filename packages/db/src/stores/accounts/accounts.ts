import type { Account, AccountWithHash, NewAccount } from "@gatehouse/accounts";
import { eq, getTableColumns, type SQL } from "drizzle-orm";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";

async function findOne(db: ReadDb, condition: SQL): Promise<AccountWithHash | undefined> {
  const { users } = db.tables;
  const [row] = await db.select(getTableColumns(users)).from(users).where(condition);
  return row;
}

async function findOneWithoutHash(db: ReadDb, condition: SQL): Promise<Account | undefined> {
  const found = await findOne(db, condition);
  if (!found) return undefined;
  const { passwordHash: _, ...account } = found;
  return account;
}

export function findAccount(db: ReadDb, id: string): Promise<Account | undefined> {
  return findOneWithoutHash(db, eq(db.tables.users.id, id));
}

/** `email` as `normaliseEmail` returns it. */
export function findAccountByEmail(db: ReadDb, email: string): Promise<AccountWithHash | undefined> {
  return findOne(db, eq(db.tables.users.email, email));
}

export function findAccountByExternalId(db: ReadDb, externalId: string): Promise<Account | undefined> {
  return findOneWithoutHash(db, eq(db.tables.users.externalId, externalId));
}

/** The insert of an account, as the first write of a change. Returns no row if the address is taken. */
export function accountInsert(db: Db, account: NewAccount & { webauthnUserId?: string }): WriteQuery {
  const { users } = db.tables;
  return db.insert(users).values(account).onConflictDoNothing({ target: users.email }).returning({ id: users.id });
}
