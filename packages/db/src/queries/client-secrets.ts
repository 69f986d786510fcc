import type { Hash } from "@gatehouse/auth";
import { and, asc, eq, gt, inArray, isNull, ne, or, sql } from "drizzle-orm";
import type { Handle, ReadHandle, WriteQuery } from "../query/handle.ts";

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

type NewClientSecret = Omit<ClientSecretRow, "expiresAt" | "lastUsedAt" | "revokedAt">;

/** Adds a secret, and makes `also` in the same transaction. False if its id exists. */
export function insertClientSecret(handle: Handle, secret: NewClientSecret, also: readonly WriteQuery[] = []): Promise<boolean> {
  const { clientSecrets } = handle.tables;
  const insert = handle.db.insert(clientSecrets).values(secret).onConflictDoNothing().returning({ id: clientSecrets.id });
  return handle.guarded(insert, also);
}

/** Makes this secret, new or ended, the client's only live one, in one transaction. */
export async function keepOnlyClientSecret(handle: Handle, secret: NewClientSecret, now: number): Promise<void> {
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

/**
 * Adds a secret and makes `also` in the same transaction, unless the client has `most` live secrets already. `endOthersAt` (Unix seconds) sets
 * the end of the others, unless they end earlier. Returns whether it was added.
 */
export function insertAnotherSecret(
  handle: Handle,
  secret: NewClientSecret,
  { most, endOthersAt, now }: { most: number; endOthersAt?: number | undefined; now: number },
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { db, tables } = handle;
  const { clients, clientSecrets: s } = tables;
  const lock = db.update(clients).set({ id: secret.clientId }).where(eq(clients.id, secret.clientId));
  const live = and(eq(s.clientId, secret.clientId), isNull(s.revokedAt), or(isNull(s.expiresAt), gt(s.expiresAt, now)));
  const liveCount = db.select({ count: sql`count(*)` }).from(s).where(live);
  const first = db
    .update(clients)
    .set({ id: secret.clientId })
    .where(and(eq(clients.id, secret.clientId), sql`${liveCount} < ${most}`))
    .returning({ id: clients.id });
  const endOthers =
    endOthersAt === undefined
      ? []
      : [
          db
            .update(s)
            .set({ expiresAt: endOthersAt })
            .where(and(live, or(isNull(s.expiresAt), gt(s.expiresAt, endOthersAt)))),
        ];
  return handle.guarded(first, [...endOthers, db.insert(s).values(secret), ...also], lock);
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

/**
 * Sets when a live secret ends (Unix seconds), or with null that it does not, and makes `also` in the same transaction. False if it was not
 * live.
 */
export function scheduleClientSecretEnd(
  handle: Handle,
  { clientId, secretId, endsAt }: { clientId: string; secretId: string; endsAt: number | null },
  now: number,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { clientSecrets: s } = handle.tables;
  const live = and(isNull(s.revokedAt), or(isNull(s.expiresAt), gt(s.expiresAt, now)));
  const schedule = handle.db
    .update(s)
    .set({ expiresAt: endsAt })
    .where(and(eq(s.id, secretId), eq(s.clientId, clientId), live))
    .returning({ id: s.id });
  return handle.guarded(schedule, also);
}

/** Ends a secret now. The row stays, so that the failure ledger can tell "retired" from "wrong". False if it was not live. */
export function retireClientSecret(
  handle: Handle,
  { clientId, secretId }: { clientId: string; secretId: string },
  now: number,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { clientSecrets } = handle.tables;
  const end = handle.db
    .update(clientSecrets)
    .set({ revokedAt: now })
    .where(and(eq(clientSecrets.id, secretId), eq(clientSecrets.clientId, clientId), isNull(clientSecrets.revokedAt)))
    .returning({ id: clientSecrets.id });
  return handle.guarded(end, also);
}
