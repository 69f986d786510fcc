import type { Hash } from "@gatehouse/auth";
import type { SecretKind } from "@gatehouse/webhooks";
import { and, eq, gt, isNotNull, isNull, notInArray, or, type SQL } from "drizzle-orm";
import type { Handle, ReadHandle, WriteQuery } from "../query/handle.ts";

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

/** A new secret, or changes to the one with the same provider and hash, of which only `change` is written. */
export type WebhookSecretWrite = { row: WebhookSecretRow; change: WebhookSecretChange };

export type ProviderWrite = {
  provider: string;
  /** Undefined leaves it unchanged; a provider that was never configured is enabled. */
  enabled: boolean | undefined;
  secrets: readonly WebhookSecretWrite[];
  /** The hashes of the only secrets that stay active; undefined leaves all active. */
  keep: readonly Hash[] | undefined;
};

/** Whether and since when the provider is disabled; undefined if it was never configured. */
export async function findProviderSwitch({ db, tables: { webhookEndpoints: e } }: ReadHandle, provider: string) {
  const [row] = await db.select({ disabledAt: e.disabledAt }).from(e).where(eq(e.slug, provider));
  return row;
}

export async function listProviderNames({ db, tables: { webhookEndpoints } }: ReadHandle): Promise<string[]> {
  const rows = await db.select({ provider: webhookEndpoints.provider }).from(webhookEndpoints);
  return rows.map((row) => row.provider);
}

/** Oldest first, including ended ones; of one provider or of all. */
export function listWebhookSecrets({ db, tables: { webhookSecrets: s } }: ReadHandle, provider?: string): Promise<WebhookSecretRow[]> {
  return db
    .select()
    .from(s)
    .where(provider === undefined ? undefined : eq(s.endpoint, provider))
    .orderBy(s.endpoint, s.createdAt, s.id);
}

export async function findWebhookSecret(
  { db, tables: { webhookSecrets: s } }: ReadHandle,
  id: string,
): Promise<WebhookSecretRow | undefined> {
  const [row] = await db.select().from(s).where(eq(s.id, id));
  return row;
}

/** Configures a provider in one atomic step. The secrets that are not kept end at `now`. */
export async function writeProvider(handle: Handle, { provider, enabled, secrets, keep }: ProviderWrite, now: number): Promise<void> {
  await handle.transaction([
    insertProvider(handle, provider, now),
    ...(enabled === undefined ? [] : [switchProvider(handle, provider, enabled, now)]),
    ...secrets.map((secret) => writeSecret(handle, secret)),
    ...(keep === undefined ? [] : [removeOthers(handle, provider, keep, now)]),
  ]);
}

function insertProvider({ db, tables: { webhookEndpoints } }: Handle, provider: string, now: number): WriteQuery {
  return db
    .insert(webhookEndpoints)
    .values({ slug: provider, provider, environment: "production", settings: {}, createdAt: now })
    .onConflictDoNothing();
}

/** Keeps the time at which it was first disabled. */
function switchProvider({ db, tables: { webhookEndpoints: e } }: Handle, provider: string, enabled: boolean, now: number): WriteQuery {
  return db
    .update(e)
    .set({ disabledAt: enabled ? null : now })
    .where(and(eq(e.slug, provider), enabled ? isNotNull(e.disabledAt) : isNull(e.disabledAt)));
}

function writeSecret({ db, tables: { webhookSecrets: s } }: Handle, { row, change }: WebhookSecretWrite): WriteQuery {
  const target = [s.endpoint, s.hash];
  if (Object.keys(change).length === 0) return db.insert(s).values(row).onConflictDoNothing({ target });
  return db.upsert(s).values(row).onConflictDoUpdate({ target, set: change });
}

function removeOthers({ db, tables: { webhookSecrets: s } }: Handle, provider: string, keep: readonly Hash[], now: number): WriteQuery {
  return db
    .update(s)
    .set({ removedAt: now })
    .where(and(eq(s.endpoint, provider), keep.length > 0 ? notInArray(s.hash, [...keep]) : undefined, active(s, now)));
}

/** Sets the end of an active secret. False if there is none with this id. */
export async function endWebhookSecret(
  { db, tables: { webhookSecrets: s } }: Handle,
  { id, endsAt }: { id: string; endsAt: number },
  now: number,
): Promise<boolean> {
  const ended = await db
    .update(s)
    .set({ expiresAt: endsAt })
    .where(and(eq(s.id, id), active(s, now)))
    .returning({ id: s.id });
  return ended.length === 1;
}

function active(s: Handle["tables"]["webhookSecrets"], now: number): SQL | undefined {
  return and(isNull(s.removedAt), or(isNull(s.expiresAt), gt(s.expiresAt, now)));
}
