/** Next loads this module several times, so `instanceof` fails for errors of another copy. */
const BRAND = Symbol.for("gatehouse.StoreUnavailable");

/**
 * Thrown by a store that temporarily cannot serve: its database is unreachable, locked, full or too slow. A write may
 * or may not have taken effect. The caller gets a 503 with `Retry-After`.
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

/** The {@link StoreUnavailable} that `thrown` is or has as a cause; undefined when there is none. */
export function findStoreUnavailable(thrown: unknown): StoreUnavailable | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) if (isStoreUnavailable(error)) return error;
  return undefined;
}

function isStoreUnavailable(error: Error): error is StoreUnavailable {
  return BRAND in error;
}
