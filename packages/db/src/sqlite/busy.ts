/** Does another connection hold SQLite's write lock? */
export function isBusy(cause: unknown): boolean {
  return (
    cause instanceof Error && "code" in cause && typeof cause.code === "string" && cause.code.startsWith("SQLITE_BUSY")
  );
}
