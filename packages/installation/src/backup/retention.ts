import { rmSync } from "node:fs";
import { basename } from "node:path";
import { manifestOf } from "@gatehouse/db/backup/backup";
import { type Listed, listBackups } from "@gatehouse/db/backup/list";
import type { Report } from "./backups.ts";
import { type Keep, superfluous } from "./keep.ts";
import type { ObjectStore, StoredBackup } from "./object-store/store.ts";

/** A backup in the folder, in the store, or in both, by its name. */
export type Held = { name: string; made_at: string; local: Listed | undefined; stored: StoredBackup | undefined };

/** Every backup of the folder and the store, oldest first. */
export function heldBackups(folder: string, stored: readonly StoredBackup[]): Held[] {
  const held = new Map<string, Held>();
  for (const one of stored) {
    const name = basename(one.url);
    held.set(name, { name, made_at: one.manifest.made_at, local: undefined, stored: one });
  }
  for (const local of listBackups(folder).filter(({ state }) => state !== "missing")) {
    const name = basename(local.file);
    held.set(name, { name, made_at: local.made_at, local, stored: held.get(name)?.stored });
  }
  return [...held.values()].toSorted((a, b) => a.made_at.localeCompare(b.made_at));
}

/** Those that `keep` does not keep; never the newest one or `verified`. */
export function oldOnes(held: readonly Held[], keep: Keep, verified: string | undefined): Held[] {
  const dated = held.map((one) => ({ one, file: one.name, made_at: one.made_at }));
  return superfluous(dated, keep, verified && basename(verified)).map(({ one }) => one);
}

/**
 * Deletes the old ones from folder and store. Of what is in the store, only the newest one stays in the folder too.
 * Returns the files and URLs that are gone. A store that does not let backups be deleted is reported.
 */
export async function deleteOld(
  held: readonly Held[],
  {
    keep,
    verified,
    store,
    report,
  }: { keep: Keep; verified: string | undefined; store: ObjectStore | undefined; report: Report },
): Promise<string[]> {
  const old = new Set(oldOnes(held, keep, verified));
  const newest = held.at(-1);
  const gone: string[] = [];
  for (const one of held) {
    const { local, stored } = one;
    if (local && (old.has(one) || (stored && one !== newest))) {
      report(`Deleting ${local.file}`);
      rmSync(local.file, { force: true });
      rmSync(manifestOf(local.file), { force: true });
      gone.push(local.file);
    }
    if (stored && old.has(one) && (await removed(stored.url, store, report))) gone.push(stored.url);
  }
  return gone;
}

async function removed(url: string, store: ObjectStore | undefined, report: Report): Promise<boolean> {
  report(`Deleting ${url}`);
  try {
    await store?.remove(url);
    return true;
  } catch (cause) {
    report(`It stays: ${cause instanceof Error ? cause.message : cause}`);
    return false;
  }
}
