import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "./write-whole.ts";

/**
 * What happened to a file. `before`: what it was, undefined if it was not there; `after`: the SHA-256 of what was to be
 * written, null of a file that a package manager was about to write. PK-21
 */
export type Entry = {
  path: string;
  before: { content: string; mode: number } | undefined;
  after: string | null;
};

const fileIn = (folder: string) => join(folder, "init.json");

/** The entries, oldest first. */
export function readJournal(folder: string): Entry[] {
  const file = fileIn(folder);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Entry[]) : [];
}

/** Replaces the journal. It has what files contained, so that only their owner may read it. */
export function writeJournal(folder: string, entries: readonly Entry[]): void {
  if (entries.length === 0) rmSync(fileIn(folder), { force: true });
  else writeWhole(fileIn(folder), `${JSON.stringify(entries, null, 1)}\n`, 0o600);
}

export const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

/** The entry of a file that is about to change. `after`: its new content, undefined if a package manager writes it. */
export function entryFor(project: string, path: string, after: string | undefined): Entry {
  const file = join(project, path);
  const before = existsSync(file)
    ? { content: readFileSync(file).toString("base64"), mode: statSync(file).mode & 0o777 }
    : undefined;
  return { path, before, after: after === undefined ? null : sha256(after) };
}

/** The SHA-256 of a file now; undefined if it is not there. */
export function hashOf(project: string, path: string): string | undefined {
  const file = join(project, path);
  return existsSync(file) ? sha256(readFileSync(file)) : undefined;
}
