import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "./databases.ts";
import { fixture } from "./fixture.ts";
import { freePort } from "./processes.ts";
import { createDatabase } from "./run.ts";
import { SETTINGS } from "./servers.ts";

/**
 * An installation of which no process runs yet, for tests that start, stop and kill them. Its database holds the
 * fixture.
 */
export type Installation = {
  port: number;
  issuer: string;
  /** Where its data is: SQLite's file too. */
  folder: string;
  env: Record<string, string>;
  remove: () => Promise<void>;
};

/** A new installation on a free port. `settings`: environment variables that differ from those of the other tests. */
export async function newInstallation(engine: Engine, settings: Record<string, string> = {}): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-installation-"));
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const DATABASE_URL = await createDatabase(engine, folder, [fixture()]);
  const env = { ...SETTINGS, GATEHOUSE_ISSUER: issuer, GATEHOUSE_DATA_DIR: folder, DATABASE_URL, ...settings };
  return { port, issuer, folder, env, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Moves the secret from the environment into a file. Returns its path. */
export function secretIntoFile(own: Installation): string {
  const { GATEHOUSE_SECRET: secret = "", ...env } = own.env;
  const file = join(own.folder, "secret");
  writeFileSync(file, secret, { mode: 0o600 });
  own.env = { ...env, GATEHOUSE_SECRET_FILE: file };
  return file;
}

/** A secret that has not been in use, for tests that change the file of the one that is. */
export const OTHER_SECRET = "another secret that nobody uses yet, 0123456789";
