import type { ClientType, Environment } from "@gatehouse/auth";
import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";
import { and, eq, inArray, sql } from "drizzle-orm";

export type ApplicationRow = { id: string; name: string; description: string; createdAt: number; version: number };
export type ApplicationClientRow = {
  applicationId: string;
  clientId: string;
  name: string;
  environment: Environment;
  type: ClientType;
  disabledAt: number | null;
};

/** Adds an application, and makes `also` in the same transaction. Undefined if the name is taken. */
export async function insertApplication(
  db: Db,
  row: Omit<ApplicationRow, "version">,
  also: readonly WriteQuery[] = [],
): Promise<ApplicationRow | undefined> {
  const { applications } = db.tables;
  const insert = db
    .insert(applications)
    .values(row)
    .onConflictDoNothing({ target: applications.name })
    .returning({ id: applications.id });
  return (await db.guarded(insert, also)) ? findApplication(db, row.id) : undefined;
}

export async function findApplication(db: ReadDb, id: string): Promise<ApplicationRow | undefined> {
  const { applications } = db.tables;
  const [row] = await db.select().from(applications).where(eq(applications.id, id));
  return row;
}

export async function findApplicationByName(db: ReadDb, name: string): Promise<ApplicationRow | undefined> {
  const { applications } = db.tables;
  const [row] = await db.select().from(applications).where(eq(applications.name, name));
  return row;
}

/** The clients of several applications, in one query. */
export async function listClientsOfApplications(db: ReadDb, ids: string[]): Promise<ApplicationClientRow[]> {
  const { clients } = db.tables;
  if (ids.length === 0) return [];
  return db
    .select({
      applicationId: clients.applicationId,
      clientId: clients.id,
      name: clients.name,
      environment: clients.environment,
      type: clients.type,
      disabledAt: clients.disabledAt,
    })
    .from(clients)
    .where(inArray(clients.applicationId, ids));
}

export type ApplicationChange = Pick<ApplicationRow, "id" | "name" | "description"> & { version?: number | undefined };

/**
 * Changes an application, and makes `also` in the same transaction. Undefined if another application has the name, if
 * there is no such application, or if it is no longer at `version`.
 */
export async function updateApplicationRow(
  db: Db,
  { id, name, description, version }: ApplicationChange,
  also: readonly WriteQuery[] = [],
): Promise<ApplicationRow | undefined> {
  const { applications } = db.tables;
  const update = db
    .update(applications)
    .set({ name, description, version: sql`${applications.version} + 1` })
    .where(
      and(
        eq(applications.id, id),
        version === undefined ? undefined : eq(applications.version, version),
        sql`not exists (select 1 from ${applications} as other where other.name = ${name} and other.id <> ${id})`,
      ),
    )
    .returning({ id: applications.id });
  return (await db.guarded(update, also)) ? findApplication(db, id) : undefined;
}

/**
 * Deletes the application with its clients and their grants, which ends all their tokens, and makes `also` in the same
 * transaction. False if there was none.
 */
export function deleteApplication(db: Db, id: string, also: readonly WriteQuery[] = []): Promise<boolean> {
  const { applications } = db.tables;
  const deletion = db.delete(applications).where(eq(applications.id, id)).returning({ id: applications.id });
  return db.guarded(deletion, also);
}
