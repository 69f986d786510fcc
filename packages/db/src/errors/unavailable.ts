import { StoreUnavailable } from "@gatehouse/auth";

/** Seconds after which a caller may retry. Random, so that callers do not all return at once after an outage. */
const RETRY_AFTER = { least: 2, most: 10 };

/**
 * SQLite's error codes for transient failures: locked by another process, out of space, a failing or read-only disk.
 */
const PASSES = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM)/;

/** {@link StoreUnavailable} with a random retry time. `what` is the message for the log. */
export function unavailable(what: string, cause?: unknown): StoreUnavailable {
  const { least, most } = RETRY_AFTER;
  const retryAfterSeconds = least + Math.floor(Math.random() * (most - least + 1));
  return new StoreUnavailable(what, { retryAfterSeconds, cause });
}

/** Converts SQLite's transient errors to {@link StoreUnavailable}; returns any other error unchanged. */
export function orUnavailable(cause: unknown): unknown {
  if (!(cause instanceof Error) || !("code" in cause) || typeof cause.code !== "string") return cause;
  return PASSES.test(cause.code) ? unavailable(`The database cannot serve now (${cause.code})`, cause) : cause;
}
