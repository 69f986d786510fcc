import { randomBytes } from "node:crypto";
import { createSeal } from "@gatehouse/auth";
import { createAuthStore, type Database, openDatabase, SchemaError } from "@gatehouse/db";
import { assertSecretInForce, type Settings } from "@gatehouse/installation";
import type { ApiDeps } from "@gatehouse/operations";

/**
 * Opens the installation's database, does the work and closes it again. Only a command that `fills` an empty database may change its
 * schema; every other wants one that fits, and throws SchemaError otherwise (OP-62).
 * Throws `AnotherSecretError` when the database is sealed with another secret, unless `anySecret` is set.
 */
export async function withInstallation<Result>(
  settings: Settings,
  work: (deps: ApiDeps) => Promise<Result>,
  { fills = false, anySecret = false }: { fills?: boolean; anySecret?: boolean } = {},
): Promise<Result> {
  const database = await openDatabase(settings.databaseUrl);
  try {
    await demandSchema(database, fills);
    const { handle, reads } = database;
    const deps = {
      config: settings.config,
      store: createAuthStore(handle),
      now: () => Math.floor(Date.now() / 1000),
      random: randomBytes,
      seal: createSeal(settings.secret, randomBytes),
      handle,
      reads,
    };
    if (!anySecret) await assertSecretInForce(deps);
    return await work(deps);
  } finally {
    await database.close();
  }
}

/** Brings the database up to date, whatever state it is in, and returns the names of the migrations that it applied. */
export async function migrate(settings: Pick<Settings, "databaseUrl">): Promise<string[]> {
  const database = await openDatabase(settings.databaseUrl);
  try {
    return await database.migrate();
  } finally {
    await database.close();
  }
}

async function demandSchema(database: Pick<Database, "schema" | "migrate">, fills: boolean): Promise<void> {
  const { kind, missing } = await database.schema();
  if (kind === "empty" && fills) await database.migrate();
  else if (kind === "empty")
    throw new SchemaError("There is no installation in this database yet. Run `npm start` or `npm run gatehouse -- bootstrap` first.");
  else if (kind === "older")
    throw new SchemaError(
      `The database's schema is older than this program (missing: ${missing.join(", ")}). Run \`npm run gatehouse -- migrate\` first.`,
    );
}
