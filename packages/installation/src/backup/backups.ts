import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createSeal, keyIdOf, type Random } from "@gatehouse/auth";
import { backUp, type Manifest } from "@gatehouse/db/backup/backup";
import { checkFile, contentsOf, hashFile, withFile } from "@gatehouse/db/backup/file";
import { readManifest } from "@gatehouse/db/backup/list";
import { sqliteFile } from "@gatehouse/db/database";
import type { Db } from "@gatehouse/db/query/db";
import { sealedWith } from "../secret-in-force.ts";
import type { Settings } from "../settings/settings.ts";
import { BackupError } from "./error.ts";

type Sealing = Pick<Settings, "secret" | "previousSecrets">;
/** Called at the start of each step with its name, for people. */
export type Report = (step: string) => void;

/** The SQLite file. Throws BackupError for PostgreSQL, which has its own tools. */
export function fileToBackUp({ databaseUrl }: Pick<Settings, "databaseUrl">): string {
  const file = sqliteFile(databaseUrl);
  if (file !== undefined) return file;
  throw new BackupError(
    [
      "The database is on PostgreSQL. Back it up with pg_dump or your provider's snapshots, and restore it the same way.",
      "After a restore, run `gatehouse restored`: a backup does not know which tokens and sessions ended after it was made.",
    ],
    2,
  );
}

/**
 * Makes a backup and returns its path and manifest. `to` is a file or an existing folder; without it, the backup folder
 * is used.
 */
export async function makeBackup(
  settings: Pick<Settings, "databaseUrl" | "backups"> & Sealing,
  to: string | undefined,
  { random, now, report }: { random: Random; now: () => Date; report: Report },
): Promise<{ file: string } & Manifest> {
  const source = fileToBackUp(settings);
  if (!existsSync(source)) throw new BackupError([`There is no database at ${source}.`]);
  if (to === undefined) mkdirSync(settings.backups.dir, { recursive: true, mode: 0o700 });
  const target = nameFor(to ?? settings.backups.dir, to === undefined, now());
  const approve = async (copy: Db) => {
    if ((await sealOf(settings, copy, random)) !== "another") return;
    throw new BackupError([
      "The database is encrypted with another GATEHOUSE_SECRET than the current one. Set the secret that the server uses.",
    ]);
  };
  return { file: target, ...(await backUp(source, target, { approve, keyId: keyIdOf(settings.secret), now, report })) };
}

function nameFor(place: string, isFolder: boolean, now: Date): string {
  if (!isFolder && !(existsSync(place) && statSync(place).isDirectory())) return place;
  return join(place, `gatehouse-${now.toISOString().replace(/[-:]|\.\d+/g, "")}.db`);
}

const sealOf = ({ secret, previousSecrets }: Sealing, db: Db, random: Random) =>
  sealedWith({ db, seal: createSeal(secret, random, previousSecrets) });

export type Verified = { file: string; verified: true; made_at: string | null; rows: number };

/**
 * Reads a whole backup and checks that it is the file that was made, that it is not corrupt, and that this secret
 * decrypts it. Throws BackupError with everything that is wrong. Without a manifest, as other programs make backups,
 * only the file is checked.
 */
export async function verifyBackup(
  file: string,
  settings: Sealing,
  { random, report }: { random: Random; report: Report },
): Promise<Verified> {
  if (!existsSync(file)) throw new BackupError([`There is no file ${file}.`]);
  const manifest = readManifest(file);
  report(manifest ? "Comparing the file with its manifest" : "The backup has no manifest; checking the file alone");
  if (manifest && (await hashFile(file)) !== manifest.sha256)
    throw new BackupError([`${file} is not the file that was made at ${manifest.made_at}: its SHA-256 differs.`]);
  report("Checking every page, row and reference");
  return withFile(file, "read", async (open) => {
    const problems = checkFile(open);
    if (problems.length > 0) throw new BackupError(problems);
    const sealed = await sealOf(settings, open.db, random);
    if (sealed === "unknown") report("The backup is too old to tell whether this GATEHOUSE_SECRET decrypts it");
    if (sealed === "another")
      throw new BackupError([
        `${file} is encrypted with another GATEHOUSE_SECRET${manifest ? ` (key id ${manifest.key_id})` : ""}. Set the secret from when it was made.`,
      ]);
    const { tables } = contentsOf(open);
    const differing = Object.entries(manifest?.tables ?? {}).filter(([table, rows]) => tables[table] !== rows);
    if (differing.length > 0)
      throw new BackupError(differing.map(([table]) => `The number of rows in ${table} differs from the manifest.`));
    const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
    return { file, verified: true as const, made_at: manifest?.made_at ?? null, rows };
  }).catch((cause: unknown) => {
    if (cause instanceof BackupError) throw cause;
    throw new BackupError([`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}.`]);
  });
}
