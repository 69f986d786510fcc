import pino, { type Logger } from "pino";
import { type LogDestination, openLogDestination } from "./log-destination.ts";

/** Database errors quote the values of the query, which can be email addresses. */
const QUOTED_VALUES = /\nparams: [\s\S]*?(?=\n {4}at |$)/g;

/** Describes an error for the log: name, message, stack and causes, without the values of a query. SE-20, SE-21. */
export function describeError(error: Error): Record<string, unknown> {
  const { type, message, stack } = pino.stdSerializers.err(error);
  const clean = (text: string) => text.replace(QUOTED_VALUES, "");
  const cause = error.cause instanceof Error ? { cause: describeError(error.cause) } : {};
  return { type, message: clean(message), stack: clean(stack), ...cause };
}

/** One JSON line per event. Requests are logged by route, never by URL, since a query can contain a code. OP-77 */
export function createLog(level: string, destination: LogDestination): Logger {
  const serializers = { err: (error: unknown) => (error instanceof Error ? describeError(error) : error) };
  return pino({ level, base: null, serializers }, destination);
}

/** A log on stdout. `sync`: each line is written at once, for a process whose last lines before a crash matter. */
export function openLog(level: string, options: { sync?: boolean } = {}) {
  const destination = openLogDestination({
    ...options,
    onLost: (lines) => log.warn({ lines }, "lines of the log were dropped, since nobody read them"),
  });
  const log = createLog(level, destination);
  return { log, destination };
}
