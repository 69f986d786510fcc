import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type Manifest, manifestOf } from "./backup.ts";

/** A backup, by its manifest. `file`: its path, or its URL in an object store. */
export type Listed = {
  file: string;
  made_at: string;
  bytes: number;
  rows: number;
  schema: string;
  key_id: string;
  state: "present" | "missing" | "changed";
};

/** The backups in a folder, oldest first. Reads their manifests only. Throws for one that this version cannot read. */
export function listBackups(folder: string): Listed[] {
  return backupsIn(folder)
    .flatMap((file) => {
      const manifest = readManifest(file);
      return manifest === undefined ? [] : [listed(file, manifest)];
    })
    .sort((a, b) => a.made_at.localeCompare(b.made_at));
}

/** When the newest backup in a folder was made, in Unix seconds; null if there is none whose manifest can be read. */
export function newestBackup(folder: string): number | null {
  const times = backupsIn(folder).filter(existsSync).map(madeAt).filter(Number.isFinite);
  return times.length === 0 ? null : Math.floor(Math.max(...times) / 1000);
}

function madeAt(file: string): number {
  try {
    return Date.parse(readManifest(file)?.made_at ?? "");
  } catch {
    return Number.NaN;
  }
}

/** The files that manifests in a folder are about. */
function backupsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".db.json"))
    .map((name) => join(folder, basename(name, ".json")));
}

function listed(file: string, manifest: Manifest): Listed {
  const state = !existsSync(file) ? "missing" : statSync(file).size === manifest.bytes ? "present" : "changed";
  return describeBackup(file, manifest, state);
}

/** What a list of backups shows of one. */
export function describeBackup(
  file: string,
  { made_at, bytes, tables, schema, key_id }: Manifest,
  state: Listed["state"],
): Listed {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  return { file, made_at, bytes, rows, schema: schema.at(-1) ?? "", key_id, state };
}

/** The manifest of a backup; undefined if there is none. Throws for one that this version cannot read. */
export function readManifest(file: string): Manifest | undefined {
  const path = manifestOf(file);
  return existsSync(path) ? parseManifest(readFileSync(path, "utf8"), path) : undefined;
}

/** The manifest of this text, which was read at `place`. Throws for one that this version cannot read. */
export function parseManifest(text: string, place: string): Manifest {
  const parsed = asObject(text);
  if (parsed?.format !== 1) throw new Error(`${place} is not a manifest that this version can read.`);
  return parsed as Manifest;
}

function asObject(text: string): Partial<Manifest> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
