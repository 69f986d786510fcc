import type { Manifest } from "@gatehouse/db/backup/backup";
import { BackupError } from "../error.ts";

/** A backup in the store, with its manifest. `url`: `s3://bucket/folder/name`. */
export type StoredBackup = { url: string; manifest: Manifest };

/** Copies of backups in an S3-compatible object store. A backup is there once its manifest is. OP-51 */
export type ObjectStore = {
  /** The backups of the folder that `target` names, oldest first. */
  list(): Promise<StoredBackup[]>;
  /** Copies a backup and then its manifest into that folder. */
  put(file: string): Promise<StoredBackup>;
  /** Writes a backup and its manifest into a folder of this machine. Returns the file. */
  fetch(url: string, folder: string): Promise<string>;
  /** Deletes the manifest and then the backup. */
  remove(url: string): Promise<void>;
  close(): void;
};

/** Whether this names a backup in an object store instead of a file. */
export const isObjectUrl = (place: string): boolean => place.startsWith("s3://");

/** The bucket and key of `s3://bucket/key`. Throws BackupError. */
export function objectOf(url: string): { bucket: string; key: string } {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(url) ?? [];
  if (bucket === undefined || key === undefined)
    throw new BackupError(
      [`${url} names no object. Write it as s3://bucket/folder/name.db, as gatehouse backup list does.`],
      2,
    );
  return { bucket, key };
}
