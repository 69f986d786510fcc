type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Loads the file `.env` into `environment`, and returns the function that reads the variables: those of the environment,
 * and what the file and the files of secrets hold at each call. A variable of the environment itself never changes; one
 * whose value was in the file does. Both throw what `loadEnvFile` and `withSecretFiles` throw. OP-17
 */
export function variablesReader(
  environment: Record<string, string | undefined>,
  workingDirectory: string,
): () => Record<string, string | undefined>;

/** Those of `names` that have another value now; empty counts as not set. OP-17 */
export function changedVariables(before: Variables, now: Variables, names: readonly string[]): string[];
