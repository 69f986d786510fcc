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
  /** On SQLite: when the newest backup was made, and one last verified; Unix seconds. */
  backups: { madeAt: number | null; verifiedAt: number | null } | null;
  /** The server's own, and when it ends in Unix seconds: `null` if this process cannot read it. */
  certificate: { endsAt: number | null } | null;
  /** The ids of the secrets that stored values may be sealed with, beside the current one. */
  oldSealKeys: readonly string[];
};
