import pino, { type Logger } from "pino";

/** The database's errors quote the values of the query, and those may be anybody's e-mail address. */
const QUOTED_VALUES = /\nparams: [\s\S]*?(?=\n {4}at |$)/g;

/** An error as the log keeps it: name, message, stack and causes, without the values of a query. SE-20, SE-21. */
export function describeError(error: Error): Record<string, unknown> {
  const { type, message, stack } = pino.stdSerializers.err(error);
  const clean = (text: string) => text.replace(QUOTED_VALUES, "");
  const cause = error.cause instanceof Error ? { cause: describeError(error.cause) } : {};
  return { type, message: clean(message), stack: clean(stack), ...cause };
}

/** Lines wait for one another this long, or until there are so many bytes of them: writing each for itself costs more than most requests. */
const FLUSH_EVERY_MS = 200;
const FLUSH_AT_BYTES = 8 * 1024;

/**
 * One JSON line per event, written in batches and at the end of the process. Requests are logged by their route, never by
 * their URL: a query may hold a code.
 */
export function createLog(level: string): Logger {
  const serializers = { err: (error: unknown) => (error instanceof Error ? describeError(error) : error) };
  const destination = pino.destination({ dest: 1, sync: false, minLength: FLUSH_AT_BYTES, periodicFlush: FLUSH_EVERY_MS });
  return pino({ level, base: null, serializers }, destination);
}
