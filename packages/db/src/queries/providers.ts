import type { Hash } from "@gatehouse/auth";
import { and, eq, inArray } from "drizzle-orm";
import type { Handle } from "../handle.ts";

/** Makes sure the provider is configured. True when it was not before. */
export async function ensureProvider({ db, tables: { webhookProviders } }: Handle, provider: string, now: number): Promise<boolean> {
  const added = await db
    .insert(webhookProviders)
    .values({ provider, createdAt: now })
    .onConflictDoNothing()
    .returning({ provider: webhookProviders.provider });
  return added.length === 1;
}

/** True when the switch was in the other position. */
export async function setProviderEnabled(handle: Handle, provider: string, enabled: boolean, now: number): Promise<boolean> {
  const { webhookProviders: p } = handle.tables;
  const [row] = await handle.db.select({ disabledAt: p.disabledAt }).from(p).where(eq(p.provider, provider));
  if (!row || (row.disabledAt === null) === enabled) return false;
  await handle.db
    .update(p)
    .set({ disabledAt: enabled ? null : now })
    .where(eq(p.provider, provider));
  return true;
}

export async function listProviderNames({ db, tables: { webhookProviders } }: Handle): Promise<string[]> {
  const rows = await db.select({ provider: webhookProviders.provider }).from(webhookProviders);
  return rows.map((row) => row.provider);
}

/** Adds a sealed signing secret. False when the provider has this one already. */
export async function insertWebhookSecret(
  { db, tables: { webhookSecrets } }: Handle,
  secret: { id: string; provider: string; sealed: string; hash: Hash; hint: string; createdAt: number },
): Promise<boolean> {
  const added = await db
    .insert(webhookSecrets)
    .values(secret)
    .onConflictDoNothing({ target: [webhookSecrets.provider, webhookSecrets.hash] })
    .returning({ id: webhookSecrets.id });
  return added.length === 1;
}

/** Which of these secrets the provider has. */
export async function knownWebhookSecrets(
  { db, tables: { webhookSecrets: s } }: Handle,
  provider: string,
  hashes: Hash[],
): Promise<Hash[]> {
  if (hashes.length === 0) return [];
  const rows = await db
    .select({ hash: s.hash })
    .from(s)
    .where(and(eq(s.provider, provider), inArray(s.hash, hashes)));
  return rows.map((row) => row.hash);
}
