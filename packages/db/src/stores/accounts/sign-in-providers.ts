import type { PresetId, SignInProvider } from "@gatehouse/accounts";
import { and, asc, count, eq, sql } from "drizzle-orm";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";

/** The columns that an admin can change. */
export type SignInProviderChange = Partial<Omit<SignInProvider, "id" | "preset" | "createdAt" | "updatedAt">>;

/** All providers, in the order of their buttons. */
export async function listSignInProviders(db: ReadDb): Promise<SignInProvider[]> {
  const { signInProviders: p } = db.tables;
  const rows = await db.select().from(p).orderBy(asc(p.position), asc(p.id));
  return rows.map((row) => ({ ...row, preset: row.preset as PresetId }));
}

/** Users of a provider are counted up to here; a large installation has millions. CO-13. */
const COUNTED = 1_000;

/** How many users have connected a provider: at most 1,000, and `more` if there are others. */
export async function countIdentities(db: ReadDb, provider: string): Promise<{ users: number; more: boolean }> {
  const { identities: i } = db.tables;
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
export function signInProviderInsert(db: Db, row: SignInProvider): WriteQuery {
  const { signInProviders: p } = db.tables;
  return db.insert(p).values(row).onConflictDoNothing().returning({ id: p.id });
}

/**
 * Changes a provider; returns no row if there is none, or if it was changed since `version`, an `updatedAt`. Each
 * change has a later one, even within a second.
 */
export function signInProviderUpdate(
  db: Db,
  { id, version, now }: { id: string; version?: number | undefined; now: number },
  change: SignInProviderChange,
): WriteQuery {
  const { signInProviders: p } = db.tables;
  const updatedAt = sql`case when ${p.updatedAt} < ${now} then ${now} else ${p.updatedAt} + 1 end`;
  return db
    .update(p)
    .set({ ...change, updatedAt })
    .where(and(eq(p.id, id), version === undefined ? undefined : eq(p.updatedAt, version)))
    .returning({ id: p.id });
}

/**
 * Deletes a provider that is switched off, and its users' connections. The first write returns no row if it was not
 * deleted.
 */
export function signInProviderDelete(db: Db, id: string): [WriteQuery, WriteQuery] {
  const { signInProviders: p, identities: i } = db.tables;
  return [
    db
      .delete(p)
      .where(and(eq(p.id, id), eq(p.enabled, false)))
      .returning({ id: p.id }),
    db.delete(i).where(eq(i.provider, id)),
  ];
}
