import type { PresetId, SignInProvider } from "@gatehouse/accounts";
import { and, asc, count, eq, sql } from "drizzle-orm";
import type { Handle, ReadHandle, WriteQuery } from "../../query/handle.ts";

/** The columns that an admin can change. */
export type SignInProviderChange = Partial<Omit<SignInProvider, "id" | "preset" | "createdAt" | "updatedAt">>;

/** All providers, in the order of their buttons. */
export async function listSignInProviders({ db, tables: { signInProviders: p } }: ReadHandle): Promise<SignInProvider[]> {
  const rows = await db.select().from(p).orderBy(asc(p.position), asc(p.id));
  return rows.map((row) => ({ ...row, preset: row.preset as PresetId }));
}

/** Users of a provider are counted up to here; a large installation has millions. CO-13. */
const COUNTED = 1_000;

/** How many users have connected a provider: at most 1,000, and `more` if there are others. */
export async function countIdentities(
  { db, tables: { identities: i } }: ReadHandle,
  provider: string,
): Promise<{ users: number; more: boolean }> {
  const some = db
    .select({ id: i.id })
    .from(i)
    .where(eq(i.provider, provider))
    .limit(COUNTED + 1)
    .as("some");
  const [row] = await db.select({ users: count() }).from(some);
  const users = row?.users ?? 0;
  return { users: Math.min(users, COUNTED), more: users > COUNTED };
}

/** Adds a provider; returns no row if its id is taken. */
export function signInProviderInsert({ db, tables: { signInProviders: p } }: Handle, row: SignInProvider): WriteQuery {
  return db.insert(p).values(row).onConflictDoNothing().returning({ id: p.id });
}

/**
 * Changes a provider; returns no row if there is none, or if it was changed since `version`, an `updatedAt`. Each change has a later one, even
 * within a second.
 */
export function signInProviderUpdate(
  { db, tables: { signInProviders: p } }: Handle,
  { id, version, now }: { id: string; version?: number | undefined; now: number },
  change: SignInProviderChange,
): WriteQuery {
  const updatedAt = sql`case when ${p.updatedAt} < ${now} then ${now} else ${p.updatedAt} + 1 end`;
  return db
    .update(p)
    .set({ ...change, updatedAt })
    .where(and(eq(p.id, id), version === undefined ? undefined : eq(p.updatedAt, version)))
    .returning({ id: p.id });
}

/** Deletes a provider that is switched off, and its users' connections. The first write returns no row if it was not deleted. */
export function signInProviderDelete({ db, tables: { signInProviders: p, identities: i } }: Handle, id: string): [WriteQuery, WriteQuery] {
  return [
    db
      .delete(p)
      .where(and(eq(p.id, id), eq(p.enabled, false)))
      .returning({ id: p.id }),
    db.delete(i).where(eq(i.provider, id)),
  ];
}
