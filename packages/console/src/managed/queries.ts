import type { Db, ReadDb, Tables, WriteQuery } from "@gatehouse/db/query/db";
import type { ManagedKind } from "@gatehouse/db/schema/sqlite/managed-objects";
import { and, asc, eq, gte, inArray, sql } from "drizzle-orm";

/** An object that a file manages. Times are Unix seconds. */
export type ManagedRow = Tables["managedObjects"]["$inferSelect"];
export type ManagedKey = Pick<ManagedRow, "kind" | "object">;

export async function findManagedObject(
  db: ReadDb,
  kind: ManagedKind,
  object: string,
): Promise<ManagedRow | undefined> {
  const { managedObjects: m } = db.tables;
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
  db: ReadDb,
  kind: ManagedKind,
  objects: readonly string[],
): Promise<ManagedRow[]> {
  const { managedObjects: m } = db.tables;
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
export function listManagedBy(db: ReadDb, file: string): Promise<ManagedRow[]> {
  const { managedObjects: m } = db.tables;
  return db.select().from(m).where(eq(m.file, file));
}

export async function hasManagedObjects(db: ReadDb): Promise<boolean> {
  const { managedObjects: m } = db.tables;
  return (await db.select({ kind: m.kind }).from(m).limit(1)).length === 1;
}

/** How many managed objects one call of {@link listTouchedObjects} looks at. */
const SCAN_OBJECTS = 5_000;

/**
 * Managed objects about which the audit log has a row since their apply, besides those of an apply itself, in the order
 * of their keys. Each object costs one lookup in an index. `next`: where to continue, if not every object was examined.
 */
export async function listTouchedObjects(
  db: ReadDb,
  {
    after,
    limit,
    maxObjects = SCAN_OBJECTS,
  }: { after: { kind: string; object: string } | undefined; limit: number; maxObjects?: number },
): Promise<{ rows: ManagedRow[]; next: ManagedKey | undefined }> {
  const { managedObjects: m, audit } = db.tables;
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
export function managedObjectWrite(db: Db, row: ManagedRow): WriteQuery {
  const { managedObjects: m } = db.tables;
  const { kind: _, object: __, ...set } = row;
  return db
    .upsert(m)
    .values(row)
    .onConflictDoUpdate({ target: [m.kind, m.object], set });
}

/** Forgets that a file manages an object. */
export function managedObjectRelease(db: Db, { kind, object }: ManagedKey): WriteQuery {
  const { managedObjects: m } = db.tables;
  return db.delete(m).where(and(eq(m.kind, kind), eq(m.object, object)));
}

/** Unlocks an object and makes `also` in the same transaction. False if it is not locked. */
export function unlockManagedObject(
  db: Db,
  { kind, object }: ManagedKey,
  by: { unlockedAt: number; unlockedBy: string },
  also: readonly WriteQuery[],
): Promise<boolean> {
  const { managedObjects: m } = db.tables;
  const unlocked = db
    .update(m)
    .set({ locked: false, ...by })
    .where(and(eq(m.kind, kind), eq(m.object, object), eq(m.locked, true)))
    .returning({ object: m.object });
  return db.guarded(unlocked, also);
}
