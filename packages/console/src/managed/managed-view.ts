import type { ReadDb } from "@gatehouse/db/query/db";
import type { ManagedKind } from "@gatehouse/db/schema/sqlite/managed-objects";
import { listManagedObjects, type ManagedRow } from "./queries.ts";

/** The kinds of objects that a file can manage. */
export const MANAGED_KINDS = [
  "resource",
  "application",
  "client",
  "webhook_endpoint",
  "sign_in_provider",
] as const satisfies readonly ManagedKind[];

/** Which file manages an object, and whether only an apply of it changes the object. Times are Unix seconds. CO-73. */
export type ManagedView = Pick<ManagedRow, "file" | "locked" | "appliedAt" | "appliedBy" | "unlockedAt" | "unlockedBy">;

const viewOf = ({ file, locked, appliedAt, appliedBy, unlockedAt, unlockedBy }: ManagedRow): ManagedView => ({
  file,
  locked,
  appliedAt,
  appliedBy,
  unlockedAt,
  unlockedBy,
});

/** The files that manage these objects, by object; one query for all of them. */
export async function managedViews(
  kind: ManagedKind,
  objects: readonly string[],
  { db }: { db: ReadDb },
): Promise<Map<string, ManagedView>> {
  const rows = await listManagedObjects(db, kind, objects);
  return new Map(rows.map((row) => [row.object, viewOf(row)]));
}

/** The file that manages an object; null if none does. */
export async function managedView(
  kind: ManagedKind,
  object: string,
  deps: { db: ReadDb },
): Promise<ManagedView | null> {
  return (await managedViews(kind, [object], deps)).get(object) ?? null;
}
