import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { mintId, type Random } from "@gatehouse/auth";
import { moveBackup } from "@gatehouse/db/backup/backup";
import { type BackupRecord, readBackupRecord, recordBackup } from "@gatehouse/db/backup/record";
import type { Db } from "@gatehouse/db/query/db";
import type { Settings } from "../settings/settings.ts";
import { makeBackup, type Report } from "./backups.ts";
import { DRILL_FOLDER, drillBackup } from "./drill.ts";
import { isBackupOld } from "./due.ts";
import { withBackupLease } from "./lease.ts";
import { deleteOldFetched } from "./local-file.ts";
import { withObjectStore } from "./object-store/open.ts";
import type { ObjectStore } from "./object-store/store.ts";
import { deleteOld, type Held, heldBackups, oldOnes } from "./retention.ts";

type Where = Pick<Settings, "databaseUrl" | "backups" | "secret" | "previousSecrets">;
type Tools = { random: Random; now: () => Date; report: Report };
type Options = Tools & {
  /** Names this process; by default a new name. */
  holder?: string;
  /** Make one only if the newest is older than GATEHOUSE_BACKUP_EVERY. */
  ifDue?: boolean;
};

const DRILL_EVERY_SECONDS = 7 * 86_400;
const MAKING_FOLDER = ".making-";

export type ScheduledBackup = {
  /** Null if none was due. */
  made: string | null;
  /** What was copied to the object store. */
  copied: string[];
  deleted: string[];
  /** Undefined if none was due. */
  drill: BackupRecord["verified"] | undefined;
};

/**
 * What a timer, or a server, does: makes a backup, copies to the object store what is not there yet, once a week restores
 * the newest one aside, and then deletes those that are not kept. Of several processes with one database, one does it at
 * a time; "busy" for the others. OP-51, OP-53.
 */
export function scheduledBackup(settings: Where, db: Db, options: Options): Promise<ScheduledBackup | "busy"> {
  const { random, holder = mintId(random) } = options;
  return withBackupLease(db, holder, () => {
    const { dir, objectStore } = settings.backups;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    deleteLeftovers(dir);
    deleteOldFetched(dir, options.now());
    return objectStore.target
      ? withObjectStore(objectStore, (store) => run(settings, db, { ...options, store }))
      : run(settings, db, { ...options, store: undefined });
  });
}

async function run(
  settings: Where,
  db: Db,
  { store, ifDue = false, ...tools }: Options & { store: ObjectStore | undefined },
): Promise<ScheduledBackup> {
  const { dir, keep } = settings.backups;
  const { report } = tools;
  const made = ifDue && !isBackupOld(settings.backups, seconds(tools.now())) ? null : await make(settings, db, tools);
  const { verified } = await readBackupRecord(db);
  const held = heldBackups(dir, store ? await store.list() : []);
  const copied = store ? await copyMissing(held, oldOnes(held, keep, verified?.file), { store, report }) : [];
  const newest = held.at(-1);
  if (newest?.stored)
    await recordBackup(db, { stored: { file: newest.stored.url, at: seconds(new Date(newest.made_at)) } });

  const place = newest?.stored?.url ?? newest?.local?.file;
  const drillDue = verified === null || seconds(tools.now()) - verified.at >= DRILL_EVERY_SECONDS;
  const drill = drillDue && place !== undefined ? await drillBackup(place, settings, db, tools) : undefined;
  const deleted = await deleteOld(held, { keep, verified: (drill ?? verified)?.file, store, report });
  return { made, copied, deleted, drill };
}

/** Copies what is in the folder alone, such as those of days when the store could not be reached. Returns their URLs. */
async function copyMissing(
  held: readonly Held[],
  old: readonly Held[],
  { store, report }: { store: ObjectStore; report: Report },
): Promise<string[]> {
  const copied: string[] = [];
  for (const one of held) {
    if (one.stored || old.includes(one) || one.local?.state !== "present") continue;
    report(`Copying ${one.local.file} to the object store`);
    one.stored = await store.put(one.local.file);
    copied.push(one.stored.url);
  }
  return copied;
}

/** Makes it in a folder of its own, so that one that was killed can be told from one that is being made. */
async function make(settings: Where, db: Db, tools: Tools): Promise<string> {
  const folder = mkdtempSync(join(settings.backups.dir, MAKING_FOLDER));
  try {
    const { file, bytes } = await makeBackup(settings, folder, tools);
    const made = moveBackup(file, settings.backups.dir);
    await recordBackup(db, { made: { file: made, at: seconds(tools.now()), bytes } });
    return made;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a killed process left: nobody else works in these folders while this one has the lease. */
function deleteLeftovers(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith(MAKING_FOLDER) || name.startsWith(DRILL_FOLDER))
      rmSync(join(folder, name), { recursive: true, force: true });
}

const seconds = (instant: Date) => Math.floor(instant.getTime() / 1000);
