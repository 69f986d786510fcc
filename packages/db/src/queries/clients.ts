import type { ClientOptions, ClientOrigin, ClientType, Environment, GrantType, Hash } from "@gatehouse/auth";
import { and, asc, eq, gt, inArray, isNull, ne, or } from "drizzle-orm";
import type { Handle, ReadHandle } from "../query/handle.ts";

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
  environment: Environment;
  type: ClientType;
  origin: ClientOrigin;
  createdAt: number;
  updatedAt: number;
  disabledAt: number | null;
};

export type ClientSecretRow = {
  id: string;
  clientId: string;
  hash: Hash;
  hint: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
};

export type NewClientRow = ClientSettingsRow &
  Pick<ClientRow, "id" | "applicationId" | "environment" | "type" | "createdAt" | "updatedAt"> & {
    origin?: ClientOrigin;
    registrationTokenHash?: Hash;
  };

/** Adds a client. Undefined if its id is taken, or if its application has a client in this environment. */
export async function insertClient(handle: Handle, row: NewClientRow): Promise<ClientRow | undefined> {
  const { clients } = handle.tables;
  const [added] = await handle.db.insert(clients).values(row).onConflictDoNothing().returning({ id: clients.id });
  return added && findClientRow(handle, added.id);
}

const clientColumns = ({ clients, applications }: Handle["tables"]) => ({
  id: clients.id,
  applicationId: clients.applicationId,
  applicationName: applications.name,
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
});

export async function findClientRow({ db, tables }: ReadHandle, id: string): Promise<ClientRow | undefined> {
  const { clients, applications } = tables;
  const [row] = await db
    .select(clientColumns(tables))
    .from(clients)
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(eq(clients.id, id));
  return row;
}

/** An application's clients, at most one per environment. */
export function listClientRows({ db, tables }: ReadHandle, applicationId: string): Promise<ClientRow[]> {
  const { clients, applications } = tables;
  return db
    .select(clientColumns(tables))
    .from(clients)
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(eq(clients.applicationId, applicationId));
}

/** A page, by id, of the enabled clients in these environments that an admin registered. */
export function listEnabledClients(
  { db, tables }: ReadHandle,
  { environments, after, limit }: { environments: Environment[]; after: string; limit: number },
): Promise<Pick<ClientRow, "id" | "applicationName" | "environment" | "scopes" | "options">[]> {
  const { clients, applications } = tables;
  const { id, applicationName, environment, scopes, options } = clientColumns(tables);
  return db
    .select({ id, applicationName, environment, scopes, options })
    .from(clients)
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(
      and(gt(clients.id, after), inArray(clients.environment, environments), eq(clients.origin, "registered"), isNull(clients.disabledAt)),
    )
    .orderBy(asc(clients.id))
    .limit(limit);
}

/** The redirect URIs of enabled single-page apps that an admin registered in these environments. */
export async function listBrowserRedirectUris(
  { db, tables: { clients } }: ReadHandle,
  environments: readonly Environment[],
): Promise<string[]> {
  const rows = await db
    .select({ redirectUris: clients.redirectUris })
    .from(clients)
    .where(
      and(
        eq(clients.type, "browser"),
        eq(clients.origin, "registered"),
        inArray(clients.environment, [...environments]),
        isNull(clients.disabledAt),
      ),
    );
  return rows.flatMap(({ redirectUris }) => redirectUris);
}

/** False if there is no such client. */
export async function updateClientRow(
  { db, tables: { clients } }: Handle,
  id: string,
  change: Partial<ClientSettingsRow> & { environment?: Environment; disabledAt?: number | null; updatedAt: number },
): Promise<boolean> {
  const softwareId = change.options && { softwareId: change.options.softwareId ?? null };
  const changed = await db
    .update(clients)
    .set({ ...change, ...softwareId })
    .where(eq(clients.id, id))
    .returning({ id: clients.id });
  return changed.length === 1;
}

/** Deletes the client with its secrets, grants and tokens. False if there was none. */
export async function deleteClient({ db, tables: { clients } }: Handle, id: string): Promise<boolean> {
  const gone = await db.delete(clients).where(eq(clients.id, id)).returning({ id: clients.id });
  return gone.length === 1;
}

/** Adds a secret. False if its id exists. */
export async function insertClientSecret(
  { db, tables: { clientSecrets } }: Handle,
  secret: Omit<ClientSecretRow, "expiresAt" | "lastUsedAt" | "revokedAt">,
): Promise<boolean> {
  const added = await db.insert(clientSecrets).values(secret).onConflictDoNothing().returning({ id: clientSecrets.id });
  return added.length === 1;
}

/** Makes this secret, new or ended, the client's only live one, in one transaction. */
export async function keepOnlyClientSecret(
  handle: Handle,
  secret: Omit<ClientSecretRow, "expiresAt" | "lastUsedAt" | "revokedAt">,
  now: number,
): Promise<void> {
  const { clientSecrets: s } = handle.tables;
  const { id, clientId } = secret;
  await handle.transaction([
    handle.db
      .upsert(s)
      .values(secret)
      .onConflictDoUpdate({ target: s.id, set: { revokedAt: null, expiresAt: null } }),
    handle.db
      .update(s)
      .set({ revokedAt: now })
      .where(and(eq(s.clientId, clientId), ne(s.id, id), isNull(s.revokedAt))),
  ]);
}

/** Deletes a secret that was never given to anyone. */
export async function discardClientSecret({ db, tables: { clientSecrets } }: Handle, id: string): Promise<void> {
  await db.delete(clientSecrets).where(eq(clientSecrets.id, id));
}

/** Every secret of these clients, including retired and expired ones, oldest first. */
export async function listClientSecrets({ db, tables: { clientSecrets } }: ReadHandle, clientIds: string[]): Promise<ClientSecretRow[]> {
  if (clientIds.length === 0) return [];
  return db
    .select()
    .from(clientSecrets)
    .where(inArray(clientSecrets.clientId, clientIds))
    .orderBy(asc(clientSecrets.createdAt), asc(clientSecrets.id));
}

/** Sets the end of a live secret, unless it has an earlier one. */
export async function expireClientSecret({ db, tables: { clientSecrets } }: Handle, id: string, expiresAt: number): Promise<void> {
  await db
    .update(clientSecrets)
    .set({ expiresAt })
    .where(
      and(
        eq(clientSecrets.id, id),
        isNull(clientSecrets.revokedAt),
        or(isNull(clientSecrets.expiresAt), gt(clientSecrets.expiresAt, expiresAt)),
      ),
    );
}

/** Ends a secret now. The row stays, so that the failure ledger can tell "retired" from "wrong". False if it was not live. */
export async function retireClientSecret(
  { db, tables: { clientSecrets } }: Handle,
  { clientId, secretId }: { clientId: string; secretId: string },
  now: number,
): Promise<boolean> {
  const ended = await db
    .update(clientSecrets)
    .set({ revokedAt: now })
    .where(and(eq(clientSecrets.id, secretId), eq(clientSecrets.clientId, clientId), isNull(clientSecrets.revokedAt)))
    .returning({ id: clientSecrets.id });
  return ended.length === 1;
}
