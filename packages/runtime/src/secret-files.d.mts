/** The variables that hold a secret. Each can be in a file instead, which `<name>_FILE` names. */
export const SECRET_VARIABLES: readonly string[];

/**
 * The variables with the content of the files that `<name>_FILE` names, without one newline at the end; `variables` if
 * there are none. Relative paths are relative to the repository's root, as all of them. The secrets are not put into the
 * environment itself, which child processes inherit. Throws one error that names every file that does not exist, is
 * empty, can be read by other users, or stands beside its variable; its `exitCode` is 78. OP-12
 */
export function withSecretFiles(
  variables: Record<string, string | undefined>,
  workingDirectory: string,
): Record<string, string | undefined>;
