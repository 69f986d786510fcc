import type { Account, AccountWithHash, NewAccount } from "@gatehouse/accounts";
import { eq, getTableColumns, type SQL } from "drizzle-orm";
import type { Handle, ReadHandle, WriteQuery } from "../../query/handle.ts";

async function findOne({ db, tables: { users } }: ReadHandle, condition: SQL): Promise<AccountWithHash | undefined> {
  const [row] = await db.select(getTableColumns(users)).from(users).where(condition);
  return row;
}

async function findOneWithoutHash(handle: ReadHandle, condition: SQL): Promise<Account | undefined> {
  const found = await findOne(handle, condition);
  if (!found) return undefined;
  const { passwordHash: _, ...account } = found;
  return account;
}

export function findAccount(handle: ReadHandle, id: string): Promise<Account | undefined> {
  return findOneWithoutHash(handle, eq(handle.tables.users.id, id));
}

/** `email` as `normaliseEmail` returns it. */
export function findAccountByEmail(handle: ReadHandle, email: string): Promise<AccountWithHash | undefined> {
  return findOne(handle, eq(handle.tables.users.email, email));
}

export function findAccountByExternalId(handle: ReadHandle, externalId: string): Promise<Account | undefined> {
  return findOneWithoutHash(handle, eq(handle.tables.users.externalId, externalId));
}

/** The insert of an account, as the first write of a change. Returns no row if the address is taken. */
export function accountInsert({ db, tables: { users } }: Handle, account: NewAccount): WriteQuery {
  return db.insert(users).values(account).onConflictDoNothing({ target: users.email }).returning({ id: users.id });
}
