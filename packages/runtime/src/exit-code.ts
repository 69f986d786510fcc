/** The exit code of a program that ends with this error: what its `exitCode` says (sysexits.h), otherwise 1. */
export function exitCodeOf(error: unknown): number {
  const named = error instanceof Error && "exitCode" in error ? error.exitCode : undefined;
  return typeof named === "number" ? named : 1;
}
