import type { Hash } from "@gatehouse/auth";
import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";
import { and, asc, eq, exists, gt, inArray, isNotNull, isNull, ne, notInArray, or, sql } from "drizzle-orm";

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
export function insertClientSecret(
  db: Db,
  secret: NewClientSecret,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { clientSecrets } = db.tables;
  const insert = db.insert(clientSecrets).values(secret).onConflictDoNothing().returning({ id: clientSecrets.id });
  return db.guarded(insert, also);
}

/** Makes these secrets, new or ended, the client's only live ones, in one transaction. */
export async function setClientSecrets(
  db: Db,
  clientId: string,
  secrets: readonly NewClientSecret[],
  now: number,
): Promise<void> {
  const { clientSecrets: s } = db.tables;
  const ids = secrets.map(({ id }) => id);
  await db.transaction([
    ...secrets.map((secret) =>
      db
        .upsert(s)
        .values(secret)
        .onConflictDoUpdate({ target: s.id, set: { revokedAt: null, expiresAt: null } }),
    ),
    db
      .update(s)
      .set({ revokedAt: now })
      .where(and(eq(s.clientId, clientId), notInArray(s.id, ids), isNull(s.revokedAt))),
  ]);
}

/**
 * Adds a secret and makes `also` in the same transaction, unless the client has `most` live secrets already.
 * `endOthersAt` (Unix seconds) sets the end of the others, unless they end earlier. Returns whether it was added.
 */
export function insertAnotherSecret(
  db: Db,
  secret: NewClientSecret,
  { most, endOthersAt, now }: { most: number; endOthersAt?: number | undefined; now: number },
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { clients, clientSecrets: s } = db.tables;
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
  return db.guarded(first, [...endOthers, db.insert(s).values(secret), ...also], lock);
}

/** Every secret of these clients, including retired and expired ones, oldest first. */
export async function listClientSecrets(db: ReadDb, clientIds: string[]): Promise<ClientSecretRow[]> {
  const { clientSecrets } = db.tables;
  if (clientIds.length === 0) return [];
  return db
    .select()
    .from(clientSecrets)
    .where(inArray(clientSecrets.clientId, clientIds))
    .orderBy(asc(clientSecrets.createdAt), asc(clientSecrets.id));
}

/**
 * A live secret that is about to change: `endsAt` is the end that the caller saw. A secret whose end has changed since
 * is left alone.
 */
export type SeenSecret = { clientId: string; secretId: string; endsAt: number | null };

/**
 * Cancels the end of a live secret, and makes `also` in the same transaction. False if it was not live, or its end has
 * changed.
 */
export function cancelClientSecretEnd(
  db: Db,
  seen: SeenSecret,
  now: number,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { clientSecrets: s } = db.tables;
  const keep = db
    .update(s)
    .set({ expiresAt: null })
    .where(isSeen(db, seen, now))
    .returning({ id: s.id });
  return db.guarded(keep, also);
}

/**
 * Ends a live secret at `at`, or now if left out, and makes `also` in the same transaction. `needsAnother`: of an
 * enabled client only if another live secret has no end, however many are ended at once. The row stays, so that the
 * failure ledger can tell "retired" from "wrong". False if the secret stays as it is. CO-33.
 */
export function endClientSecret(
  db: Db,
  seen: SeenSecret,
  { at, needsAnother, now }: { at?: number | undefined; needsAnother: boolean; now: number },
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { clients, clientSecrets: s } = db.tables;
  const ofClient = eq(clients.id, seen.clientId);
  const disabled = db
    .select({ id: clients.id })
    .from(clients)
    .where(and(ofClient, isNotNull(clients.disabledAt)));
  const others = and(eq(s.clientId, seen.clientId), ne(s.id, seen.secretId), isNull(s.revokedAt), isNull(s.expiresAt));
  const another = db.select({ id: s.id }).from(s).where(others);
  const end = db
    .update(s)
    .set(at === undefined ? { revokedAt: now } : { expiresAt: at })
    .where(and(isSeen(db, seen, now), needsAnother ? or(exists(disabled), exists(another)) : undefined))
    .returning({ id: s.id });
  return db.guarded(end, also, db.update(clients).set({ id: seen.clientId }).where(ofClient));
}

function isSeen({ tables: { clientSecrets: s } }: Db, { clientId, secretId, endsAt }: SeenSecret, now: number) {
  const same = endsAt === null ? isNull(s.expiresAt) : and(eq(s.expiresAt, endsAt), gt(s.expiresAt, now));
  return and(eq(s.id, secretId), eq(s.clientId, clientId), isNull(s.revokedAt), same);
}
