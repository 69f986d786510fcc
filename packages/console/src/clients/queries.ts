import type { ClientOptions, ClientOrigin, ClientType, Environment, GrantType, Hash } from "@gatehouse/auth";
import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";
import { and, asc, eq, gt, inArray, isNull, sql } from "drizzle-orm";

export type ClientSettingsRow = {
  redirectUris: string[];
  postLogoutRedirectUris: string[];
  grantTypes: GrantType[];
  scopes: string[];
  firstParty: boolean;
  resourceServer: boolean;
  refreshRetrySeconds: number;
  options: ClientOptions;
};

export type ClientRow = ClientSettingsRow & {
  id: string;
  applicationId: string;
  applicationName: string;
  /** Of the client among those of its application. The registrations of one client share it. */
  name: string;
  environment: Environment;
  type: ClientType;
  origin: ClientOrigin;
  createdAt: number;
  updatedAt: number;
  disabledAt: number | null;
  /** Raised by each change. */
  version: number;
};

export type NewClientRow = ClientSettingsRow &
  Pick<ClientRow, "id" | "applicationId" | "environment" | "type" | "createdAt" | "updatedAt"> & {
    name?: string;
    origin?: ClientOrigin;
    registrationTokenHash?: Hash;
  };

/**
 * Adds a client, and makes `also` in the same transaction. Undefined if its id is taken, or if its application has a
 * client of this name in this environment.
 */
export async function insertClient(
  db: Db,
  row: NewClientRow,
  also: readonly WriteQuery[] = [],
): Promise<ClientRow | undefined> {
  const { clients } = db.tables;
  const insert = db
    .insert(clients)
    .values({ ...row, accessEpoch: row.createdAt })
    .onConflictDoNothing()
    .returning({ id: clients.id });
  return (await db.guarded(insert, also)) ? findClientRow(db, row.id) : undefined;
}

export const clientColumns = ({ clients, applications }: Db["tables"]) => ({
  id: clients.id,
  applicationId: clients.applicationId,
  applicationName: applications.name,
  name: clients.name,
  environment: clients.environment,
  type: clients.type,
  redirectUris: clients.redirectUris,
  postLogoutRedirectUris: clients.postLogoutRedirectUris,
  grantTypes: clients.grantTypes,
  scopes: clients.scopes,
  firstParty: clients.firstParty,
  resourceServer: clients.resourceServer,
  refreshRetrySeconds: clients.refreshRetrySeconds,
  options: clients.options,
  origin: clients.origin,
  createdAt: clients.createdAt,
  updatedAt: clients.updatedAt,
  disabledAt: clients.disabledAt,
  version: clients.version,
});

export async function findClientRow(db: ReadDb, id: string): Promise<ClientRow | undefined> {
  const { tables } = db;
  const { clients, applications } = tables;
  const [row] = await db
    .select(clientColumns(tables))
    .from(clients)
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(eq(clients.id, id));
  return row;
}

/** An application's clients in every environment; at most one for each name and environment. Oldest first. */
export function listClientRows(db: ReadDb, applicationId: string): Promise<ClientRow[]> {
  const { tables } = db;
  const { clients, applications } = tables;
  return db
    .select(clientColumns(tables))
    .from(clients)
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(eq(clients.applicationId, applicationId))
    .orderBy(asc(clients.createdAt), asc(clients.id));
}

/** A page, by id, of the enabled clients in these environments that an admin registered. */
export function listEnabledClients(
  db: ReadDb,
  { environments, after, limit }: { environments: Environment[]; after: string; limit: number },
): Promise<Pick<ClientRow, "id" | "applicationName" | "environment" | "scopes" | "options">[]> {
  const { tables } = db;
  const { clients, applications } = tables;
  const { id, applicationName, environment, scopes, options } = clientColumns(tables);
  return db
    .select({ id, applicationName, environment, scopes, options })
    .from(clients)
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(
      and(
        gt(clients.id, after),
        inArray(clients.environment, environments),
        eq(clients.origin, "registered"),
        isNull(clients.disabledAt),
      ),
    )
    .orderBy(asc(clients.id))
    .limit(limit);
}

/**
 * The redirect URIs of enabled single-page apps that an admin registered in these environments, and of their live
 * preview slots.
 */
export async function listBrowserRedirectUris(
  db: ReadDb,
  environments: readonly Environment[],
  now: number,
): Promise<string[]> {
  const { clients, previewSlots } = db.tables;
  const browserApp = and(
    eq(clients.type, "browser"),
    eq(clients.origin, "registered"),
    inArray(clients.environment, [...environments]),
    isNull(clients.disabledAt),
  );
  const [registered, previews] = await Promise.all([
    db.select({ redirectUris: clients.redirectUris }).from(clients).where(browserApp),
    db
      .select({ redirectUri: previewSlots.redirectUri })
      .from(previewSlots)
      .innerJoin(clients, eq(clients.id, previewSlots.clientId))
      .where(and(gt(previewSlots.endsAt, now), browserApp)),
  ]);
  return [...registered.flatMap(({ redirectUris }) => redirectUris), ...previews.map(({ redirectUri }) => redirectUri)];
}

/**
 * Changes a client, and makes `also` in the same transaction. False if there is no such client, or if it is no longer
 * at `version`.
 */
export function updateClientRow(
  db: Db,
  id: string,
  change: Partial<ClientSettingsRow> & { environment?: Environment; disabledAt?: number | null; updatedAt: number },
  { version, also = [] }: { version?: number | undefined; also?: readonly WriteQuery[] } = {},
): Promise<boolean> {
  const { clients } = db.tables;
  const softwareId = change.options && { softwareId: change.options.softwareId ?? null };
  const update = db
    .update(clients)
    .set({ ...change, ...softwareId, version: sql`${clients.version} + 1` })
    .where(and(eq(clients.id, id), version === undefined ? undefined : eq(clients.version, version)))
    .returning({ id: clients.id });
  return db.guarded(update, also);
}

/**
 * Renames a client of an application in every environment. False if there is none, or another client has the new name.
 */
export function renameClientRows(
  db: Db,
  { applicationId, name, newName }: { applicationId: string; name: string; newName: string },
  now: number,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { clients } = db.tables;
  const taken = sql`not exists (select 1 from ${clients} as other where other.application_id = ${applicationId} and other.name = ${newName})`;
  const rename = db
    .update(clients)
    .set({ name: newName, updatedAt: now, version: sql`${clients.version} + 1` })
    .where(and(eq(clients.applicationId, applicationId), eq(clients.name, name), taken))
    .returning({ id: clients.id });
  return db.guarded(rename, also);
}

/**
 * Deletes the client with its secrets and grants, which ends all its tokens, and makes `also` in the same transaction.
 * False if there was none.
 */
export function deleteClient(db: Db, id: string, also: readonly WriteQuery[] = []): Promise<boolean> {
  const { clients } = db.tables;
  const deletion = db.delete(clients).where(eq(clients.id, id)).returning({ id: clients.id });
  return db.guarded(deletion, also);
}
