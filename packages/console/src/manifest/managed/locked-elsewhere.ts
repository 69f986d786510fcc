import type { OperationDeps } from "../../deps.ts";
import { MANAGED_KINDS } from "../../managed/managed-view.ts";
import { listManagedObjects, type ManagedKey } from "../../managed/queries.ts";
import { keyOf } from "./recording.ts";

/** Which of these objects another file locks: only that file, or somebody who unlocks them, may let them go. CO-73. */
export async function lockedElsewhere(
  objects: readonly ManagedKey[],
  file: string,
  { db }: Pick<OperationDeps, "db">,
): Promise<(object: ManagedKey) => boolean> {
  const locked = new Set<string>();
  for (const kind of MANAGED_KINDS) {
    const ids = objects.filter((one) => one.kind === kind).map(({ object }) => object);
    for (const row of await listManagedObjects(db, kind, ids))
      if (row.locked && row.file !== file) locked.add(keyOf(row));
  }
  return (object) => locked.has(keyOf(object));
}
