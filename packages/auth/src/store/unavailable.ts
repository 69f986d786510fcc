/** Next loads this module several times, and the store belongs to the first copy: its errors are not instances of the others' class. */
const BRAND = Symbol.for("gatehouse.StoreUnavailable");

/**
 * Thrown by a store that cannot serve now and will again: its database is unreachable, locked, full or too slow. Whether a write
 * took effect is unknown. The caller gets a 503 and is told when to retry.
 */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  readonly [BRAND] = true;
  readonly retryAfterSeconds: number;

  constructor(message: string, { retryAfterSeconds, cause }: { retryAfterSeconds: number; cause?: unknown }) {
    super(message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The {@link StoreUnavailable} that `thrown` is or wraps; undefined when there is none. */
export function findStoreUnavailable(thrown: unknown): StoreUnavailable | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) if (isStoreUnavailable(error)) return error;
  return undefined;
}

function isStoreUnavailable(error: Error): error is StoreUnavailable {
  return BRAND in error;
}
