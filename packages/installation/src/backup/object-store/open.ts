import { describeBackup, type Listed } from "@gatehouse/db/backup/list";
import type { ObjectStoreSettings } from "../../settings/backups.ts";
import type { ObjectStore } from "./store.ts";

/**
 * Opens the store; loads its client only now, which takes longer than most commands do. Every method throws BackupError
 * with a sentence that says what to mend.
 */
async function openObjectStore(settings: ObjectStoreSettings): Promise<ObjectStore> {
  const { openS3 } = await import("./s3.ts");
  return openS3(settings);
}

/** Opens the store for `work`, and closes it. */
export async function withObjectStore<Result>(
  settings: ObjectStoreSettings,
  work: (store: ObjectStore) => Promise<Result>,
): Promise<Result> {
  const store = await openObjectStore(settings);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** The backups in the store, oldest first, as the list of a folder has them. */
export async function listStored(settings: ObjectStoreSettings): Promise<Listed[]> {
  const stored = await withObjectStore(settings, (store) => store.list());
  return stored.map(({ url, manifest }) => describeBackup(url, manifest, "present"));
}
