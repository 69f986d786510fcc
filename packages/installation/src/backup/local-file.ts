import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import type { Report } from "./backups.ts";
import { withObjectStore } from "./object-store/open.ts";
import { isObjectUrl } from "./object-store/store.ts";

const FETCHED_FOLDER = ".fetched-";
const DAY_MS = 86_400_000;

/**
 * Does `work` with a backup as a file of this machine. `place`: a file, or a URL of the object store, which is fetched
 * and deleted afterwards. Throws BackupError.
 */
export async function withLocalFile<Result>(
  place: string,
  { backups }: Pick<Settings, "backups">,
  report: Report,
  work: (file: string) => Promise<Result>,
): Promise<Result> {
  if (!isObjectUrl(place)) return work(place);
  mkdirSync(backups.dir, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(backups.dir, FETCHED_FOLDER));
  try {
    report(`Fetching ${place}`);
    return await work(await withObjectStore(backups.objectStore, (store) => store.fetch(place, folder)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Deletes what killed processes fetched. Commands fetch at any time, so only what is a day old. */
export function deleteOldFetched(folder: string, now: Date): void {
  for (const name of readdirSync(folder).filter((one) => one.startsWith(FETCHED_FOLDER))) {
    const path = join(folder, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: now.getTime() };
    if (now.getTime() - mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}
