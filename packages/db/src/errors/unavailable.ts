import { StoreUnavailable } from "@gatehouse/auth";
import { metrics } from "@gatehouse/runtime/metrics";

/** Seconds after which a caller may retry. Random, so that callers do not all return at once after an outage. */
const RETRY_AFTER = { least: 2, most: 10 };

/**
 * SQLite's error codes for transient failures: locked by another process, out of space, a failing or read-only disk.
 */
const PASSES = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM)/;

/** Seconds after which a caller may retry. */
export function retryAfterSeconds(): number {
  const { least, most } = RETRY_AFTER;
  return least + Math.floor(Math.random() * (most - least + 1));
}

/** Why a database cannot serve, for metrics. */
type Unavailability = "lost" | "aborted" | "busy" | "full" | "refused" | "maintenance";

/** {@link StoreUnavailable} with a random retry time, counted by `kind`. `what` is the message for the log. */
export function unavailable(what: string, kind: Unavailability, cause?: unknown): StoreUnavailable {
  metrics.dbErrors.series(kind).add();
  return new StoreUnavailable(what, { retryAfterSeconds: retryAfterSeconds(), cause });
}

/** Converts SQLite's transient errors to {@link StoreUnavailable}; returns any other error unchanged. */
export function orUnavailable(cause: unknown): unknown {
  if (!(cause instanceof Error) || !("code" in cause) || typeof cause.code !== "string") return cause;
  return PASSES.test(cause.code)
    ? unavailable(`The database cannot serve now (${cause.code})`, kindOf(cause.code), cause)
    : cause;
}

function kindOf(code: string): Unavailability {
  if (/BUSY|LOCKED/.test(code)) return "busy";
  return code.startsWith("SQLITE_FULL") ? "full" : "refused";
}
