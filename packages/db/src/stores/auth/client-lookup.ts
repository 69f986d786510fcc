import type { Client, Environment, Hash } from "@gatehouse/auth";
import { and, eq, getTableColumns, isNull, lte, or, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { lookUp } from "../../query/batching.ts";
import type { Db, ReadDb } from "../../query/db.ts";

/** What the protocol knows of a client. */
function clientColumns({ clients }: Db["tables"]) {
  const {
    createdAt: _created,
    updatedAt: _updated,
    name: _name,
    registrationTokenHash: _token,
    confirmedAt: _confirmed,
    lastUsedAt: _used,
    documentHost: _host,
    softwareId: _software,
    version: _version,
    ...columns
  } = getTableColumns(clients);
  return columns;
}

const secretColumns = ({ clientSecrets: { id, hash, createdAt, expiresAt, revokedAt } }: Db["tables"]) => ({
  id,
  hash,
  createdAt,
  expiresAt,
  revokedAt,
});

const BY_ID = {
  name: "find_client",
  build: (db: Db, matching: (column: PgColumn) => SQL) => {
    const { tables } = db;
    const { clients, applications, clientSecrets } = tables;
    return db
      .select({ client: clientColumns(tables), applicationName: applications.name, secret: secretColumns(tables) })
      .from(clients)
      .innerJoin(applications, eq(applications.id, clients.applicationId))
      .leftJoin(clientSecrets, eq(clientSecrets.clientId, clients.id))
      .where(matching(clients.id))
      .orderBy(clientSecrets.createdAt, clientSecrets.id);
  },
  keyOf: ({ client }: { client: { id: string } }) => client.id,
};

/**
 * The client with its application's name and all its secrets, in one query: one row per secret, or a single row without
 * one.
 */
export async function findClient(db: Db, clientId: string): Promise<Client | undefined> {
  const rows = await lookUp(db, BY_ID, clientId);
  const [first] = rows;
  if (!first) return undefined;
  const { id, disabledAt, approvedAt, previewFrame, ...settings } = first.client;
  return {
    ...settings,
    clientId: id,
    applicationName: first.applicationName,
    enabled: disabledAt === null,
    ...(approvedAt !== null && { approved: true }),
    ...(previewFrame !== null && { hasExemptions: true }),
    secrets: rows.flatMap(({ secret }) => secret ?? []),
  };
}

/** Finds, after a failed authentication, the client of the same application that has this secret. */
export async function findSecretOwner(
  db: ReadDb,
  applicationId: string,
  hash: Hash,
): Promise<{ clientId: string; environment: Environment } | undefined> {
  const { clients, clientSecrets } = db.tables;
  const [owner] = await db
    .select({ clientId: clients.id, environment: clients.environment })
    .from(clients)
    .innerJoin(clientSecrets, eq(clientSecrets.clientId, clients.id))
    .where(and(eq(clients.applicationId, applicationId), eq(clientSecrets.hash, hash)))
    .limit(1);
  return owner;
}

/** Records a use, at most once a minute. */
export async function touchClientSecret(db: Db, id: string, now: number): Promise<void> {
  const { clientSecrets: s } = db.tables;
  await db
    .update(s)
    .set({ lastUsedAt: now })
    .where(and(eq(s.id, id), or(isNull(s.lastUsedAt), lte(s.lastUsedAt, now - 60))));
}
