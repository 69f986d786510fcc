import type { NewPerson, Person, PersonWithHash } from "@gatehouse/accounts";
import { eq, getTableColumns, type SQL } from "drizzle-orm";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";

async function findOne(db: ReadDb, condition: SQL): Promise<PersonWithHash | undefined> {
  const { users } = db.tables;
  const [row] = await db.select(getTableColumns(users)).from(users).where(condition);
  return row;
}

async function findOneWithoutHash(db: ReadDb, condition: SQL): Promise<Person | undefined> {
  const found = await findOne(db, condition);
  if (!found) return undefined;
  const { passwordHash: _, ...person } = found;
  return person;
}

export function findPerson(db: ReadDb, id: string): Promise<Person | undefined> {
  return findOneWithoutHash(db, eq(db.tables.users.id, id));
}

/** `email` as `normaliseEmail` returns it. */
export function findPersonByEmail(db: ReadDb, email: string): Promise<PersonWithHash | undefined> {
  return findOne(db, eq(db.tables.users.email, email));
}

export function findPersonByExternalId(db: ReadDb, externalId: string): Promise<Person | undefined> {
  return findOneWithoutHash(db, eq(db.tables.users.externalId, externalId));
}

/** The insert of an account, as the first write of a change. Returns no row if the address is taken. */
export function personInsert(db: Db, person: NewPerson): WriteQuery {
  const { users } = db.tables;
  return db.insert(users).values(person).onConflictDoNothing({ target: users.email }).returning({ id: users.id });
}
