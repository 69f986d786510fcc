import Database from "better-sqlite3";
import manifest from "better-sqlite3/package.json" with { type: "json" };
import { loadBinary } from "./binary.ts";

// In the bundles of the published package, in place of better-sqlite3: its binary is looked for where this package
// has it, since no script may run at installation. PK-17

let binary: object | undefined;

/** Opens a database as better-sqlite3 does. Throws NoSqliteError on a machine that no binary fits. */
export default function Sqlite(file: string, options: Database.Options = {}): Database.Database {
  binary ??= loadBinary(manifest.version);
  // The types know a path alone; better-sqlite3 takes the loaded module too.
  return new Database(file, { ...options, nativeBinding: binary as unknown as string });
}
