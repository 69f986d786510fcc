import {
  type DynamicRegistration,
  documentHostname,
  type Environment,
  type Hash,
  type InitialAccessToken,
  type NewDynamicClient,
  type SelfDescribedClient,
} from "@gatehouse/auth";
import { and, eq, exists, gt, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { isUnconfirmed } from "../../schema/index-conditions.ts";
import { blockOf, lockRegistrations } from "./client-blocks.ts";
import { findClient } from "./client-lookup.ts";

// Clients that no admin registered. Each has an application of its own, and is deleted with it.

const ENVIRONMENT: Environment = "production";
const HOUR = 3600;

/** Writes application, client and secret, all or none. False if the client is blocked. */
export async function addDynamicClient(db: Db, client: NewDynamicClient, now: number): Promise<boolean> {
  const { applications, clientSecrets } = db.tables;
  const { secret, registrationTokenHash } = client;
  const answers = await db.transaction([
    lockRegistrations(db),
    insertOwnApplication(db, client, now),
    insertOwnClient(db, client, { origin: "dynamic", registrationTokenHash }, now),
    ...(secret ? [db.insert(clientSecrets).values({ ...secret, clientId: client.clientId, createdAt: now })] : []),
    db
      .delete(applications)
      .where(and(eq(applications.id, client.applicationId), blockOf(db, client, now)))
      .returning({ id: applications.id }),
  ]);
  return answers.at(-1)?.length === 0;
}

function insertOwnApplication(db: Db, client: SelfDescribedClient, now: number): WriteQuery {
  const { tables } = db;
  const row = { id: client.applicationId, name: client.applicationName, description: "", createdAt: now };
  return db.insert(tables.applications).values(row).onConflictDoNothing({ target: tables.applications.id });
}

type Beside = { origin: "dynamic" | "metadata_document"; registrationTokenHash: Hash | null };

function insertOwnClient(db: Db, client: SelfDescribedClient, beside: Beside, now: number): WriteQuery {
  const { clients } = db.tables;
  const row = {
    ...settingsOf(client),
    ...beside,
    id: client.clientId,
    applicationId: client.applicationId,
    environment: ENVIRONMENT,
    firstParty: false,
    resourceServer: false,
    refreshRetrySeconds: 30,
    createdAt: now,
    updatedAt: now,
    accessEpoch: now,
  };
  return db.insert(clients).values(row).onConflictDoNothing({ target: clients.id });
}

const settingsOf = ({
  clientId,
  type,
  redirectUris,
  postLogoutRedirectUris,
  grantTypes,
  scopes,
  options,
}: SelfDescribedClient) => ({
  type,
  redirectUris: [...redirectUris],
  postLogoutRedirectUris: [...postLogoutRedirectUris],
  grantTypes: [...grantTypes],
  scopes: [...scopes],
  options,
  documentHost: documentHostname(clientId) ?? null,
  softwareId: options.softwareId ?? null,
});

export async function findDynamicClient(db: Db, clientId: string): Promise<DynamicRegistration | undefined> {
  const { clients } = db.tables;
  const [row] = await db
    .select({ tokenHash: clients.registrationTokenHash, createdAt: clients.createdAt })
    .from(clients)
    .where(and(eq(clients.id, clientId), eq(clients.origin, "dynamic")));
  const client = row && (await findClient(db, clientId));
  return row?.tokenHash && client ? { client, tokenHash: row.tokenHash, createdAt: row.createdAt } : undefined;
}

/**
 * Replaces the metadata of an enabled client, and disables it if the new metadata is blocked. Metadata that differs
 * ends an approval and raises the version, in the statement that writes it: a comparison before it could be of a row
 * that another request replaced meanwhile. The last two statements return the rows that were replaced and disabled.
 */
function overwrite(db: Db, client: SelfDescribedClient, now: number): WriteQuery[] {
  const { applications, clients } = db.tables;
  const isSame = sameAs(db, client);
  const enabled = and(eq(clients.id, client.clientId), isNull(clients.disabledAt));
  const own = db.select({ id: clients.applicationId }).from(clients).where(enabled);
  return [
    db
      .update(clients)
      .set({
        approvedAt: sql`case when ${isSame} then ${clients.approvedAt} end`,
        version: sql`case when ${isSame} then ${clients.version} else ${clients.version} + 1 end`,
      })
      .where(enabled),
    db.update(applications).set({ name: client.applicationName }).where(inArray(applications.id, own)),
    db
      .update(clients)
      .set({ ...settingsOf(client), updatedAt: now })
      .where(enabled)
      .returning({ id: clients.id }),
    db
      .update(clients)
      .set({ disabledAt: now })
      .where(and(enabled, blockOf(db, client, now)))
      .returning({ id: clients.id }),
  ];
}

/** Is the stored client what `client` says, in every word? */
function sameAs(db: Db, client: SelfDescribedClient): SQL | undefined {
  const { applications, clients } = db.tables;
  const { type, redirectUris, postLogoutRedirectUris, grantTypes, scopes, options } = settingsOf(client);
  const said = { redirectUris, postLogoutRedirectUris, grantTypes, scopes, options };
  const named = db
    .select({ id: applications.id })
    .from(applications)
    .where(and(eq(applications.id, clients.applicationId), eq(applications.name, client.applicationName)));
  return and(
    exists(named),
    eq(clients.type, type),
    ...Object.entries(said).map(
      ([name, value]) => sql`cast(${clients[name as keyof typeof said]} as text) = ${JSON.stringify(value)}`,
    ),
  );
}

/** False if the client was or is now disabled. */
export async function replaceDynamicClient(db: Db, client: SelfDescribedClient, now: number): Promise<boolean> {
  const answers = await db.transaction([lockRegistrations(db), ...overwrite(db, client, now)]);
  const [written = [], disabled = []] = answers.slice(-2);
  return written.length === 1 && disabled.length === 0;
}

/** False if the client is disabled or does not exist. */
export async function removeDynamicClient(db: Db, clientId: string): Promise<boolean> {
  const { applications, clients } = db.tables;
  const unblocked = and(eq(clients.id, clientId), eq(clients.origin, "dynamic"), isNull(clients.disabledAt));
  const own = db.select({ id: clients.applicationId }).from(clients).where(unblocked);
  const [, gone = []] = await db.transaction([
    lockRegistrations(db),
    db.delete(applications).where(inArray(applications.id, own)).returning({ id: applications.id }),
  ]);
  return gone.length === 1;
}

/** Both ids are derived from the document's URL, so of two racing callers the second one overwrites. */
export async function saveDocumentClient(db: Db, client: SelfDescribedClient, now: number): Promise<void> {
  await db.transaction([
    lockRegistrations(db),
    insertOwnApplication(db, client, now),
    insertOwnClient(db, client, { origin: "metadata_document", registrationTokenHash: null }, now),
    ...overwrite(db, client, now),
  ]);
}

export async function confirmClient(db: Db, clientId: string, now: number): Promise<void> {
  const { clients } = db.tables;
  await db
    .update(clients)
    .set({ confirmedAt: now })
    .where(and(eq(clients.id, clientId), isNull(clients.confirmedAt)));
}

export async function touchClient(db: Db, clientId: string, now: number): Promise<void> {
  const { clients } = db.tables;
  await db
    .update(clients)
    .set({ lastUsedAt: now })
    .where(and(eq(clients.id, clientId), or(isNull(clients.lastUsedAt), lte(clients.lastUsedAt, now - HOUR))));
}

/** Counts up to `most`; reads only the index entries of these clients. */
export async function countUnconfirmedClients(db: ReadDb, most: number): Promise<number> {
  const { clients } = db.tables;
  const unconfirmed = db
    .select({ one: sql`1`.as("one") })
    .from(clients)
    .where(and(isUnconfirmed(clients), eq(clients.origin, "dynamic")))
    .limit(most)
    .as("unconfirmed");
  const [row] = await db.select({ count: sql<number | string>`count(*)` }).from(unconfirmed);
  return Number(row?.count ?? 0);
}

// Initial access tokens. RFC 7591 §3.

/** Adds a token, and makes `also` in the same transaction. */
export async function insertInitialAccessToken(
  db: Db,
  token: InitialAccessToken,
  also: readonly WriteQuery[] = [],
): Promise<void> {
  await db.transaction([db.insert(db.tables.initialAccessTokens).values(token), ...also]);
}

export async function findInitialAccessToken(db: ReadDb, hash: Hash): Promise<InitialAccessToken | undefined> {
  const { initialAccessTokens: tokens } = db.tables;
  const [row] = await db.select().from(tokens).where(eq(tokens.hash, hash));
  return row;
}

/** Newest first, including used up and expired ones. */
export function listInitialAccessTokens(db: ReadDb): Promise<InitialAccessToken[]> {
  const { initialAccessTokens: tokens } = db.tables;
  return db.select().from(tokens).orderBy(sql`${tokens.createdAt} desc`, tokens.hash);
}

/** Deletes a token, and makes `also` in the same transaction. False if there was none. */
export function deleteInitialAccessToken(db: Db, hash: Hash, also: readonly WriteQuery[] = []): Promise<boolean> {
  const { initialAccessTokens: tokens } = db.tables;
  return db.guarded(db.delete(tokens).where(eq(tokens.hash, hash)).returning({ hash: tokens.hash }), also);
}

/** One conditional statement. null - 1 is null, so an unlimited token stays unlimited. */
export async function spendInitialAccessToken(db: Db, hash: Hash, now: number): Promise<boolean> {
  const { initialAccessTokens: tokens } = db.tables;
  const live = and(
    eq(tokens.hash, hash),
    or(isNull(tokens.remaining), gt(tokens.remaining, 0)),
    or(isNull(tokens.expiresAt), gt(tokens.expiresAt, now)),
  );
  const spent = await db
    .update(tokens)
    .set({ remaining: sql`${tokens.remaining} - 1` })
    .where(live)
    .returning({ hash: tokens.hash });
  return spent.length === 1;
}
