import type { NewPerson, Person, PersonWithHash } from "@gatehouse/accounts";
import { eq, getTableColumns, type SQL } from "drizzle-orm";
import type { Handle, ReadHandle, WriteQuery } from "../../query/handle.ts";

async function findOne({ db, tables: { users } }: ReadHandle, condition: SQL): Promise<PersonWithHash | undefined> {
  const [row] = await db.select(getTableColumns(users)).from(users).where(condition);
  return row;
}

async function findOneWithoutHash(handle: ReadHandle, condition: SQL): Promise<Person | undefined> {
  const found = await findOne(handle, condition);
  if (!found) return undefined;
  const { passwordHash: _, ...person } = found;
  return person;
}

export function findPerson(handle: ReadHandle, id: string): Promise<Person | undefined> {
  return findOneWithoutHash(handle, eq(handle.tables.users.id, id));
}

/** `email` as `normaliseEmail` returns it. */
export function findPersonByEmail(handle: ReadHandle, email: string): Promise<PersonWithHash | undefined> {
  return findOne(handle, eq(handle.tables.users.email, email));
}

export function findPersonByExternalId(handle: ReadHandle, externalId: string): Promise<Person | undefined> {
  return findOneWithoutHash(handle, eq(handle.tables.users.externalId, externalId));
}

/** The insert of an account, as the first write of a change. Returns no row if the address is taken. */
export function personInsert({ db, tables: { users } }: Handle, person: NewPerson): WriteQuery {
  return db.insert(users).values(person).onConflictDoNothing({ target: users.email }).returning({ id: users.id });
}
