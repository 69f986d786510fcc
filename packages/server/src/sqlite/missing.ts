/** No binary of SQLite fits this machine. The message says what to do. PK-17 */
class NoSqliteError extends Error {
  override readonly name = "NoSqliteError";
  /** EX_CONFIG of sysexits.h. */
  readonly exitCode = 78;
}

type Situation = {
  /** Such as `linux-x64`. */
  platform: string;
  node: string;
  /** The version of Node's ABI, `process.versions.modules`. */
  abi: string;
  /** Of better-sqlite3. */
  version: string;
  /** Why each file did not load. */
  tried: ReadonlyMap<string, string>;
};

/** The error for a machine that no binary fits, with the ways out. */
export function noSqlite({ platform, node, abi, version, tried }: Situation): NoSqliteError {
  return new NoSqliteError(
    [
      `SQLite has no binary for Node ${node} (ABI ${abi}) on ${platform}:`,
      ...[...tried].map(([file, problem]) => `  ${file}: ${problem}`),
      "Ways out:",
      "  npm install --include=optional   installs the binary, if npm left it out",
      `  npm install --ignore-scripts=false better-sqlite3@${version}   compiles it, with Python and a C++ compiler`,
      "  DATABASE_URL=postgres://…   uses PostgreSQL instead",
    ].join("\n"),
  );
}
