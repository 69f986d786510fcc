import type { Environment, Hash } from "@gatehouse/auth";
import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";
import type { SecretKind } from "@gatehouse/webhooks";
import { and, eq, exists, gt, isNotNull, isNull, notInArray, or, type SQL, sql } from "drizzle-orm";

export type WebhookSecretRow = {
  id: string;
  /** The slug of its endpoint. */
  endpoint: string;
  kind: SecretKind;
  sealed: string;
  hash: Hash;
  hint: string;
  name: string | null;
  createdAt: number;
  /** The end that an admin set, Unix seconds. */
  expiresAt: number | null;
  /** When an applied file stopped listing it. */
  removedAt: number | null;
  lastMatchedAt: number | null;
};

/** The columns of an existing secret that can change. */
export type WebhookSecretChange = Partial<Pick<WebhookSecretRow, "sealed" | "name" | "expiresAt" | "removedAt">>;

/** A new secret, or changes to the one with the same endpoint and hash, of which only `change` is written. */
export type WebhookSecretWrite = { row: WebhookSecretRow; change: WebhookSecretChange };

/** Oldest first, including ended ones; of one endpoint or of all. */
export function listWebhookSecrets(db: ReadDb, endpoint?: string): Promise<WebhookSecretRow[]> {
  const { webhookSecrets: s } = db.tables;
  return db
    .select()
    .from(s)
    .where(endpoint === undefined ? undefined : eq(s.endpoint, endpoint))
    .orderBy(s.endpoint, s.createdAt, s.id);
}

export async function findWebhookSecret(db: ReadDb, id: string): Promise<WebhookSecretRow | undefined> {
  const { webhookSecrets: s } = db.tables;
  const [row] = await db.select().from(s).where(eq(s.id, id));
  return row;
}

/** The secrets with this value, of every endpoint. */
export function findSameSecrets(db: ReadDb, hash: Hash): Promise<WebhookSecretRow[]> {
  const { webhookSecrets: s } = db.tables;
  return db.select().from(s).where(eq(s.hash, hash));
}

/** The active secrets of an endpoint at a time, each with its end. */
export type ActiveSecrets = { now: number; secrets: readonly Pick<WebhookSecretRow, "id" | "expiresAt">[] };

/** Whether an endpoint has exactly these active secrets, with these ends. For a write after {@link endpointLock}. */
export function hasActiveSecrets(db: Db, endpoint: string, { now, secrets }: ActiveSecrets): SQL | undefined {
  const { webhookSecrets: s } = db.tables;
  const count = (condition?: SQL) =>
    db
      .select({ count: sql`count(*)` })
      .from(s)
      .where(and(eq(s.endpoint, endpoint), active(s, now), condition));
  const asRead = secrets.map(({ id, expiresAt }) =>
    and(eq(s.id, id), expiresAt === null ? isNull(s.expiresAt) : eq(s.expiresAt, expiresAt)),
  );
  return and(sql`${count()} = ${secrets.length}`, sql`${count(or(...asRead))} = ${secrets.length}`);
}

/** Adds a secret or changes the existing one. */
export function webhookSecretWrite(db: Db, { row, change }: WebhookSecretWrite): WriteQuery {
  const { webhookSecrets: s } = db.tables;
  const target = [s.endpoint, s.hash];
  if (Object.keys(change).length === 0) return db.insert(s).values(row).onConflictDoNothing({ target });
  return db.upsert(s).values(row).onConflictDoUpdate({ target, set: change });
}

/** Ends the active secrets of this kind that an applied file does not list. */
export function webhookSecretsRemoval(
  db: Db,
  { endpoint, kind, keep }: { endpoint: string; kind: SecretKind; keep: readonly Hash[] },
  now: number,
): WriteQuery {
  const { webhookSecrets: s } = db.tables;
  const others = keep.length > 0 ? notInArray(s.hash, [...keep]) : undefined;
  return db
    .update(s)
    .set({ removedAt: now })
    .where(and(eq(s.endpoint, endpoint), eq(s.kind, kind), others, active(s, now)));
}

/** Ends the forwarding secret at `endsAt`, and at once an older one that was to end anyway: two at most are active. */
export function forwardingSecretsEnd(
  db: Db,
  { endpoint, endsAt }: { endpoint: string; endsAt: number },
  now: number,
): WriteQuery[] {
  const { webhookSecrets: s } = db.tables;
  const own = and(eq(s.endpoint, endpoint), eq(s.kind, "forwarding"), active(s, now));
  return [
    db
      .update(s)
      .set({ removedAt: now })
      .where(and(own, isNotNull(s.expiresAt))),
    db
      .update(s)
      .set({ expiresAt: endsAt })
      .where(and(own, isNull(s.expiresAt))),
  ];
}

/** Ends the active secrets of an endpoint, of every kind, except those with these ids. */
export function endpointSecretsRemoval(
  db: Db,
  { endpoint, keep }: { endpoint: string; keep: readonly string[] },
  now: number,
): WriteQuery {
  const { webhookSecrets: s } = db.tables;
  const others = keep.length > 0 ? notInArray(s.id, [...keep]) : undefined;
  return db
    .update(s)
    .set({ removedAt: now })
    .where(and(eq(s.endpoint, endpoint), others, active(s, now)));
}

/**
 * Sets the end of an active secret, and makes `also` in the same transaction. `needsAnother`: only if another secret of
 * its kind and endpoint is active and has no end, however many are ended at once. False if the secret stays as it is,
 * or its endpoint has moved to another environment. CO-58.
 */
export function endWebhookSecret(
  db: Db,
  { id, endpoint, environment, endsAt, needsAnother }: SecretEnd,
  now: number,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { webhookSecrets: s, webhookEndpoints: e } = db.tables;
  const isThere = exists(
    db
      .select({ slug: e.slug })
      .from(e)
      .where(and(eq(e.slug, endpoint), eq(e.environment, environment))),
  );
  const another = sql`exists (select 1 from ${s} as other where other.endpoint = ${s.endpoint} and other.kind = ${s.kind}
    and other.id <> ${s.id} and other.removed_at is null and other.expires_at is null)`;
  const end = db
    .update(s)
    .set({ expiresAt: endsAt })
    .where(and(eq(s.id, id), active(s, now), isThere, needsAnother ? another : undefined))
    .returning({ id: s.id });
  return db.guarded(end, also, endpointLock(db, endpoint));
}

type SecretEnd = { id: string; endpoint: string; environment: Environment; endsAt: number; needsAnother: boolean };

/**
 * Locks the row of an endpoint until the transaction ends. Every transaction that adds or ends secrets begins with it:
 * on PostgreSQL a statement does not see what another transaction has not committed.
 */
export function endpointLock(db: Db, slug: string): WriteQuery {
  const { webhookEndpoints: e } = db.tables;
  return db.update(e).set({ slug }).where(eq(e.slug, slug)).returning({ slug: e.slug });
}

function active(s: Db["tables"]["webhookSecrets"], now: number): SQL | undefined {
  return and(isNull(s.removedAt), or(isNull(s.expiresAt), gt(s.expiresAt, now)));
}
