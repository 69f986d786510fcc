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

/** One JSON line per event. Requests are logged by their route, never by their URL: a query may hold a code. */
export function createLog(level: string): Logger {
  return pino({ level, base: null, serializers: { err: (error: unknown) => (error instanceof Error ? describeError(error) : error) } });
}
