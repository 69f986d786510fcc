import { join } from "node:path";
import { entryFor, hashOf, readJournal, writeJournal } from "./journal.ts";
import type { Change } from "./plan.ts";
import { writeWhole } from "./write-whole.ts";

/**
 * Writes the changes. The journal has all of them before the first one is made, so that an interruption at any point
 * can be undone. PK-21
 */
export function write(project: string, folder: string, changes: readonly Change[]): void {
  const entries = changes.map(({ path, after }) => entryFor(project, path, after));
  writeJournal(folder, [...readJournal(folder), ...entries]);
  for (const { path, after, mode } of changes) writeWhole(join(project, path), after, mode);
}

/** Runs what writes a file in its own way, such as the lock file of a package manager. PK-21 */
export async function writtenBy(
  project: string,
  folder: string,
  path: string,
  run: () => Promise<void>,
): Promise<void> {
  const earlier = readJournal(folder);
  const entry = entryFor(project, path, undefined);
  writeJournal(folder, [...earlier, entry]);
  await run();
  const after = hashOf(project, path) ?? null;
  writeJournal(folder, [...earlier, { ...entry, after }]);
}
