import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type Sqlite from "better-sqlite3";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import type pg from "pg";

export type Dialect = "sqlite" | "postgres";

/**
 * The folder of one dialect's migrations. Found from this file when it runs from source, and from the working directory
 * when it was bundled, in both cases by walking up.
 */
export function findMigrations(dialect: Dialect): string {
  for (const start of [sourceFolder(), process.cwd()]) {
    for (let folder = start; folder !== undefined; folder = dirname(folder) === folder ? undefined : dirname(folder)) {
      const found = join(/* turbopackIgnore: true */ folder, "packages/db/migrations", dialect);
      if (existsSync(join(/* turbopackIgnore: true */ found, "meta/_journal.json"))) return found;
    }
  }
  throw new Error(`No migrations found: packages/db/migrations/${dialect} is not above ${process.cwd()}. Start inside the repository.`);
}

function sourceFolder(): string | undefined {
  try {
    return dirname(fileURLToPath(import.meta.url));
  } catch {
    return undefined; // a bundle's import.meta.url need not be a file
  }
}

/** Applies what is missing. Of several processes that start at once one works and the others wait, then find nothing to do. */
export function migrateSqlite(connection: Sqlite.Database, folder: string): void {
  connection.pragma("foreign_keys = OFF"); // rebuilding a table must not cascade; has no effect inside a transaction
  connection.exec("BEGIN IMMEDIATE");
  try {
    connection.exec("CREATE TABLE IF NOT EXISTS __drizzle_migrations (hash text NOT NULL, created_at integer PRIMARY KEY)");
    const last = connection.prepare("SELECT max(created_at) FROM __drizzle_migrations").pluck().get() as number | null;
    const note = connection.prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)");
    for (const migration of readMigrationFiles({ migrationsFolder: folder })) {
      if (last !== null && migration.folderMillis <= last) continue;
      for (const statement of migration.sql) connection.exec(statement);
      note.run(migration.hash, migration.folderMillis);
    }
    connection.exec("COMMIT");
  } catch (cause) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw cause;
  } finally {
    connection.pragma("foreign_keys = ON");
  }
}

const MIGRATION_LOCK = 7_240_331; // any number, the same in every process

/** As {@link migrateSqlite}; an advisory lock makes the others wait. */
export async function migratePostgres(pool: pg.Pool, folder: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await migrate(drizzle(client), { migrationsFolder: folder });
    await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]);
    client.release();
  } catch (cause) {
    client.release(true); // closing it frees the lock
    throw cause;
  }
}
