import { randomBytes } from "node:crypto";
import type { ApiDeps, Settings } from "@gatehouse/api";
import { createSeal } from "@gatehouse/auth";
import { createAuthStore, openDatabase } from "@gatehouse/db";

/** Opens the installation's database, brings it up to date, does the work and closes it again. */
export async function withInstallation<Result>(settings: Settings, work: (deps: ApiDeps) => Promise<Result>): Promise<Result> {
  const database = await openDatabase(settings.databaseUrl);
  try {
    await database.migrate();
    const { handle } = database;
    return await work({
      config: settings.config,
      store: createAuthStore(handle),
      now: () => Math.floor(Date.now() / 1000),
      random: randomBytes,
      seal: createSeal(settings.secret, randomBytes),
      handle,
    });
  } finally {
    await database.close();
  }
}
