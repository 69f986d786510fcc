/**
 * Adds the variables of the file `.env` at the repository's root to `variables`, unless they are set; the published
 * package reads no file by itself, since that one belongs to its user's product. GATEHOUSE_ENV_FILE names another file,
 * or `off` for none. Prevents Next from reading .env files itself. Returns the path of the file, or undefined if there
 * is none. Throws an error if the file that GATEHOUSE_ENV_FILE names does not exist.
 */
export function loadEnvFile(
  variables: Record<string, string | undefined>,
  workingDirectory: string,
): string | undefined;

/**
 * The file that `loadEnvFile` would read, and the variables that it sets; no file and no variables if there is none.
 * Throws what `loadEnvFile` throws.
 */
export function readEnvFile(
  variables: Readonly<Record<string, string | undefined>>,
  workingDirectory: string,
): { file?: string; values: Record<string, string> };

/** The variables that the text of a file `.env` sets. */
export function parseEnv(text: string): Record<string, string>;
