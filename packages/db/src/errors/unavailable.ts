import { StoreUnavailable } from "@gatehouse/auth";

/** Seconds after which a caller may retry. Random, so that the callers of an outage do not all come back at once. */
const RETRY_AFTER = { least: 2, most: 10 };

/** SQLite's error codes for what passes: locked by another process, no space, a failing or read-only disk. */
const PASSES = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM)/;

/** {@link StoreUnavailable} with a random time to wait. `what` says what the database could not do. */
export function unavailable(what: string, cause?: unknown): StoreUnavailable {
  const { least, most } = RETRY_AFTER;
  const retryAfterSeconds = least + Math.floor(Math.random() * (most - least + 1));
  return new StoreUnavailable(what, { retryAfterSeconds, cause });
}

/** SQLite's error as {@link StoreUnavailable} where it says that the database cannot serve now; any other error as it is. */
export function orUnavailable(cause: unknown): unknown {
  if (!(cause instanceof Error) || !("code" in cause) || typeof cause.code !== "string") return cause;
  return PASSES.test(cause.code) ? unavailable(`The database cannot serve now (${cause.code})`, cause) : cause;
}
