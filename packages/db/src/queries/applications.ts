import type { ClientType, Environment } from "@gatehouse/auth";
import { and, desc, eq, exists, inArray, or, sql } from "drizzle-orm";
import type { Handle } from "../handle.ts";
import { after, contains, type Position } from "./page.ts";

export type ApplicationRow = { id: string; name: string; description: string; createdAt: number };
export type ApplicationClientRow = {
  applicationId: string;
  clientId: string;
  environment: Environment;
  type: ClientType;
  disabledAt: number | null;
};

/** Adds an application. Undefined when the name is taken. */
export async function insertApplication(
  { db, tables: { applications } }: Handle,
  row: ApplicationRow,
): Promise<ApplicationRow | undefined> {
  const [added] = await db.insert(applications).values(row).onConflictDoNothing({ target: applications.name }).returning();
  return added;
}

export async function findApplication({ db, tables: { applications } }: Handle, id: string): Promise<ApplicationRow | undefined> {
  const [row] = await db.select().from(applications).where(eq(applications.id, id));
  return row;
}

export async function findApplicationByName({ db, tables: { applications } }: Handle, name: string): Promise<ApplicationRow | undefined> {
  const [row] = await db.select().from(applications).where(eq(applications.name, name));
  return row;
}

/** Newest first; `query` matches the name, the description or a client id. One row more than `limit` when there are more. */
export function listApplicationRows(
  { db, tables: { applications, clients } }: Handle,
  query: string | undefined,
  position: Position | undefined,
  limit: number,
): Promise<ApplicationRow[]> {
  const itsClient = (text: string) =>
    exists(
      db
        .select({ one: sql`1` })
        .from(clients)
        .where(and(eq(clients.applicationId, applications.id), contains(clients.id, text))),
    );
  return db
    .select()
    .from(applications)
    .where(
      and(
        query ? or(contains(applications.name, query), contains(applications.description, query), itsClient(query)) : undefined,
        after(position, { at: applications.createdAt, id: applications.id }),
      ),
    )
    .orderBy(desc(applications.createdAt), desc(applications.id))
    .limit(limit + 1);
}

/** The clients of several applications, in one query. */
export async function listClientsOfApplications({ db, tables: { clients } }: Handle, ids: string[]): Promise<ApplicationClientRow[]> {
  if (ids.length === 0) return [];
  return db
    .select({
      applicationId: clients.applicationId,
      clientId: clients.id,
      environment: clients.environment,
      type: clients.type,
      disabledAt: clients.disabledAt,
    })
    .from(clients)
    .where(inArray(clients.applicationId, ids));
}

/** "taken" when another application has the name; undefined when there is no such application. */
export async function updateApplicationRow(
  handle: Handle,
  { id, name, description }: Omit<ApplicationRow, "createdAt">,
): Promise<ApplicationRow | "taken" | undefined> {
  const { applications } = handle.tables;
  const [row] = await handle.db
    .update(applications)
    .set({ name, description })
    .where(
      and(
        eq(applications.id, id),
        sql`not exists (select 1 from ${applications} as other where other.name = ${name} and other.id <> ${id})`,
      ),
    )
    .returning();
  return row ?? ((await findApplication(handle, id)) ? "taken" : undefined);
}

/** Removes the application with its clients, and with them all their tokens. False when there was none. */
export async function deleteApplication({ db, tables: { applications } }: Handle, id: string): Promise<boolean> {
  const gone = await db.delete(applications).where(eq(applications.id, id)).returning({ id: applications.id });
  return gone.length === 1;
}
