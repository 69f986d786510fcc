import type { ClientType, Environment } from "@gatehouse/auth";
import { and, eq, exists, inArray, ne, or, type SQL, sql } from "drizzle-orm";
import type { Handle, ReadHandle } from "../query/handle.ts";
import { contains, type Position } from "./page.ts";
import { type Found, scanPage } from "./scan.ts";

export type ApplicationRow = { id: string; name: string; description: string; createdAt: number };
export type ApplicationClientRow = {
  applicationId: string;
  clientId: string;
  environment: Environment;
  type: ClientType;
  disabledAt: number | null;
};

/** Adds an application. Undefined if the name is taken. */
export async function insertApplication(
  { db, tables: { applications } }: Handle,
  row: ApplicationRow,
): Promise<ApplicationRow | undefined> {
  const [added] = await db.insert(applications).values(row).onConflictDoNothing({ target: applications.name }).returning();
  return added;
}

export async function findApplication({ db, tables: { applications } }: ReadHandle, id: string): Promise<ApplicationRow | undefined> {
  const [row] = await db.select().from(applications).where(eq(applications.id, id));
  return row;
}

export async function findApplicationByName(
  { db, tables: { applications } }: ReadHandle,
  name: string,
): Promise<ApplicationRow | undefined> {
  const [row] = await db.select().from(applications).where(eq(applications.name, name));
  return row;
}

/**
 * Newest first; `query` matches the name, the description or a client id. `first` is the application with exactly this name or client id,
 * however old, on the first page only. `maxRows`: how many rows a `query` may examine.
 */
export async function listApplicationRows(
  handle: ReadHandle,
  query: string | undefined,
  position: Position | undefined,
  limit: number,
  maxRows?: number,
): Promise<Found<ApplicationRow>> {
  const { db, tables } = handle;
  const { applications } = tables;
  const exact = query ? await exactApplication(handle, query) : undefined;
  const residual = and(query ? mentions(handle, query) : undefined, exact && ne(applications.id, exact.id));
  const index = { table: applications, at: applications.createdAt, id: applications.id };
  const found = await scanPage(handle, { index, residual, position, limit, maxRows }, (condition, order) =>
    db
      .select()
      .from(applications)
      .where(condition)
      .orderBy(...order)
      .limit(limit + 1),
  );
  return exact && !position ? { ...found, first: exact } : found;
}

function mentions({ db, tables: { applications, clients } }: ReadHandle, text: string): SQL | undefined {
  const itsClient = db
    .select({ one: sql`1` })
    .from(clients)
    .where(and(eq(clients.applicationId, applications.id), contains(clients.id, text)));
  return or(contains(applications.name, text), contains(applications.description, text), exists(itsClient));
}

async function exactApplication({ db, tables: { applications, clients } }: ReadHandle, text: string): Promise<ApplicationRow | undefined> {
  const [named] = await db.select().from(applications).where(eq(applications.name, text));
  if (named) return named;
  const ofClient = db.select({ id: clients.applicationId }).from(clients).where(eq(clients.id, text));
  const [owner] = await db.select().from(applications).where(inArray(applications.id, ofClient));
  return owner;
}

/** The clients of several applications, in one query. */
export async function listClientsOfApplications({ db, tables: { clients } }: ReadHandle, ids: string[]): Promise<ApplicationClientRow[]> {
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

/** "taken" if another application has the name; undefined if there is no such application. */
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

/** Deletes the application with its clients and all their tokens. False if there was none. */
export async function deleteApplication({ db, tables: { applications } }: Handle, id: string): Promise<boolean> {
  const gone = await db.delete(applications).where(eq(applications.id, id)).returning({ id: applications.id });
  return gone.length === 1;
}
