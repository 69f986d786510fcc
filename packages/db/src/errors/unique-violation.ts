/** Did a write fail because a unique key exists already? Recognizes both engines' errors, wrapped or not. */
export function isUniqueViolation(cause: unknown): boolean {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const code = "code" in error ? error.code : undefined;
    if (code === "23505" || code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY") return true;
  }
  return false;
}
