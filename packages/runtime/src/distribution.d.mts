/** What a user types before the name of a command of `gatehouse`. */
export const COMMAND: string;

/** The command that starts the server and the console. */
export const START: string;

/** The file in the root folder that adds to the environment, unless GATEHOUSE_ENV_FILE names another one; undefined: none. */
export const ENV_FILE: string | undefined;

/** Gatehouse's migrations, with a folder for each engine; undefined in a clone, where they are found by walking up.. */
export const MIGRATIONS: string | undefined;

/**
 * The folder that relative paths in settings are relative to: in a clone, the closest one above `start` with a
 * pnpm-workspace.yaml, or `start` itself if there is none.
 */
export function rootFolder(start: string): string;
