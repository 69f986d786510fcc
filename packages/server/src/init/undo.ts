import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Entry, hashOf, readJournal, sha256, writeJournal } from "./journal.ts";
import { writeWhole } from "./write-whole.ts";

/** Paths of files that are as they were, and of those that were left, because they have changed since. */
export type Undone = { restored: readonly string[]; left: readonly string[] };

/**
 * Restores every file that the journal in `folder` has, the newest change first. A file that has changed since stays. An
 * interrupted `init` is undone as well: a file that it did not get to is as it was. PK-21
 */
export function undo(project: string, folder: string): Undone {
  const restored: string[] = [];
  const left: Entry[] = [];
  for (const entry of readJournal(folder).toReversed()) {
    const now = hashOf(project, entry.path);
    if (now === hashBefore(entry)) continue;
    if (entry.after !== null && now !== entry.after) left.unshift(entry);
    else {
      restore(project, entry);
      restored.push(entry.path);
    }
  }
  writeJournal(folder, left);
  return { restored, left: left.map(({ path }) => path) };
}

const hashBefore = ({ before }: Entry) => before && sha256(Buffer.from(before.content, "base64"));

function restore(project: string, { path, before }: Entry): void {
  const file = join(project, path);
  if (before) {
    writeWhole(file, Buffer.from(before.content, "base64"), before.mode);
    return;
  }
  rmSync(file, { force: true });
  for (
    let at = dirname(file);
    at !== project && at.startsWith(project) && readdirSync(at).length === 0;
    at = dirname(at)
  )
    rmdirSync(at);
}
