/**
 * Adds to `variables` what the file `.env` at the repository's root sets and they do not. GATEHOUSE_ENV_FILE names another file,
 * or `off` for none. Next, started with them, reads no file of its own. Returns the path of the file that was read, or undefined if there is none.
 * Throws an error if the file that GATEHOUSE_ENV_FILE names does not exist.
 */
export function loadEnvFile(variables: Record<string, string | undefined>, workingDirectory: string): string | undefined;

/** The folder above `start` that holds the workspace; `start` itself where there is none. */
export function repositoryRoot(start: string): string;
