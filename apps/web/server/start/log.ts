import pino, { type Logger } from "pino";

/** Database errors quote the values of the query, which can be email addresses. */
const QUOTED_VALUES = /\nparams: [\s\S]*?(?=\n {4}at |$)/g;

/** Describes an error for the log: name, message, stack and causes, without the values of a query. SE-20, SE-21. */
export function describeError(error: Error): Record<string, unknown> {
  const { type, message, stack } = pino.stdSerializers.err(error);
  const clean = (text: string) => text.replace(QUOTED_VALUES, "");
  const cause = error.cause instanceof Error ? { cause: describeError(error.cause) } : {};
  return { type, message: clean(message), stack: clean(stack), ...cause };
}

/** Lines are written in batches: writing each one separately costs more than most requests. */
const FLUSH_EVERY_MS = 200;
const FLUSH_AT_BYTES = 8 * 1024;

/**
 * Creates the log: one JSON line per event, flushed in batches and when the process exits, or at once with `sync`.
 * Requests are logged by route, never by URL, since a query can contain a code. OP-77.
 */
export function createLog(level: string, { sync = false }: { sync?: boolean } = {}): Logger {
  const serializers = { err: (error: unknown) => (error instanceof Error ? describeError(error) : error) };
  const destination = pino.destination(
    sync ? { dest: 1, sync } : { dest: 1, sync, minLength: FLUSH_AT_BYTES, periodicFlush: FLUSH_EVERY_MS },
  );
  return pino({ level, base: null, serializers }, destination);
}
