/** What only a process of the installation can see: its files, and the program. `null`: does not apply here. */
export type HostFacts = {
  version: string;
  node: string;
  engine: "sqlite" | "postgres";
  /** Migrations that the database lacks. */
  missingMigrations: readonly string[];
  /** SQLite's log. */
  walBytes: number | null;
  disk: { freeBytes: number; totalBytes: number } | null;
  backups: Backups;
  /** The server's own, and when it ends in Unix seconds: `null` if this process cannot read it. */
  certificate: { endsAt: number | null } | null;
  /** The ids of the secrets that stored values may be sealed with, beside the current one. */
  oldSealKeys: readonly string[];
};

/** When the newest backup was made, one last verified, and one last restored; Unix seconds. */
export type Backups = {
  madeAt: number | null;
  verifiedAt: number | null;
  restoredAt: number | null;
  /**
   * Where they are looked for: in the folder of SQLite's, in the object store, in the folder of PostgreSQL's dumps, or
   * nowhere, since others make them.
   */
  by: "folder" | "store" | "dumps" | "others";
};
