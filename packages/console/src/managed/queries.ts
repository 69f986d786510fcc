import type { Handle, ReadHandle, Tables, WriteQuery } from "@gatehouse/db/query/handle";
import type { ManagedKind } from "@gatehouse/db/schema/sqlite/managed-objects";
import { and, asc, eq, gte, inArray, sql } from "drizzle-orm";

/** An object that a file manages. Times are Unix seconds. */
export type ManagedRow = Tables["managedObjects"]["$inferSelect"];
export type ManagedKey = Pick<ManagedRow, "kind" | "object">;

export async function findManagedObject(
  { db, tables: { managedObjects: m } }: ReadHandle,
  kind: ManagedKind,
  object: string,
): Promise<ManagedRow | undefined> {
  const [row] = await db
    .select()
    .from(m)
    .where(and(eq(m.kind, kind), eq(m.object, object)));
  return row;
}

/** How many ids one statement takes. */
const SLICE = 500;

/** Those of these objects that a file manages. */
export async function listManagedObjects(
  { db, tables: { managedObjects: m } }: ReadHandle,
  kind: ManagedKind,
  objects: readonly string[],
): Promise<ManagedRow[]> {
  const found: ManagedRow[] = [];
  for (let start = 0; start < objects.length; start += SLICE) {
    const slice = objects.slice(start, start + SLICE);
    const rows = await db
      .select()
      .from(m)
      .where(and(eq(m.kind, kind), inArray(m.object, slice)));
    found.push(...rows);
  }
  return found;
}

/** The objects that a file manages. */
export function listManagedBy({ db, tables: { managedObjects: m } }: ReadHandle, file: string): Promise<ManagedRow[]> {
  return db.select().from(m).where(eq(m.file, file));
}

export async function hasManagedObjects({ db, tables: { managedObjects: m } }: ReadHandle): Promise<boolean> {
  return (await db.select({ kind: m.kind }).from(m).limit(1)).length === 1;
}

/** How many managed objects one call of {@link listTouchedObjects} looks at. */
const SCAN_OBJECTS = 5_000;

/**
 * Managed objects about which the audit log has a row since their apply, besides those of an apply itself, in the order of their keys. Each
 * object costs one lookup in an index. `next`: where to continue, if not every object was examined.
 */
export async function listTouchedObjects(
  handle: ReadHandle,
  { after, limit, maxObjects = SCAN_OBJECTS }: { after: { kind: string; object: string } | undefined; limit: number; maxObjects?: number },
): Promise<{ rows: ManagedRow[]; next: ManagedKey | undefined }> {
  const { db, tables } = handle;
  const { managedObjects: m, audit } = tables;
  const order = [asc(m.kind), asc(m.object)];
  const key = sql`(${m.kind}, ${m.object})`;
  const start = sql`${key} > (${after?.kind ?? ""}, ${after?.object ?? ""})`;
  const [end] = await db
    .select({ kind: m.kind, object: m.object })
    .from(m)
    .where(start)
    .orderBy(...order)
    .limit(1)
    .offset(maxObjects - 1);
  const within = end && sql`${key} <= (${end.kind}, ${end.object})`;
  const byOthers = sql`${audit.detail} ->> 'file' is null`;
  // A scalar subquery runs once for each object. PostgreSQL would join an `exists` with the whole log.
  const aRow = db
    .select({ one: sql`1` })
    .from(audit)
    .where(and(eq(audit.object, m.object), gte(audit.id, m.auditFrom), byOthers))
    .limit(1);
  const rows = await db
    .select()
    .from(m)
    .where(and(start, within, sql`${aRow} = 1`))
    .orderBy(...order)
    .limit(limit + 1);
  if (rows.length <= limit) return { rows, next: end };
  const page = rows.slice(0, limit);
  return { rows: page, next: page.at(-1) };
}

/** Records that a file manages an object, in place of what was recorded before. */
export function managedObjectWrite({ db, tables: { managedObjects: m } }: Handle, row: ManagedRow): WriteQuery {
  const { kind: _, object: __, ...set } = row;
  return db
    .upsert(m)
    .values(row)
    .onConflictDoUpdate({ target: [m.kind, m.object], set });
}

/** Forgets that a file manages an object. */
export function managedObjectRelease({ db, tables: { managedObjects: m } }: Handle, { kind, object }: ManagedKey): WriteQuery {
  return db.delete(m).where(and(eq(m.kind, kind), eq(m.object, object)));
}

/** Unlocks an object and makes `also` in the same transaction. False if it is not locked. */
export function unlockManagedObject(
  handle: Handle,
  { kind, object }: ManagedKey,
  by: { unlockedAt: number; unlockedBy: string },
  also: readonly WriteQuery[],
): Promise<boolean> {
  const { managedObjects: m } = handle.tables;
  const unlocked = handle.db
    .update(m)
    .set({ locked: false, ...by })
    .where(and(eq(m.kind, kind), eq(m.object, object), eq(m.locked, true)))
    .returning({ object: m.object });
  return handle.guarded(unlocked, also);
}
