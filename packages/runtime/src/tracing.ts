import type { IncomingHttpHeaders } from "node:http";

/** What a piece of work is. `outbound`: a request to another server, or a mail. */
export type WorkKind = "statement" | "hash" | "outbound";

/** What a span says: names and numbers from the program itself, never a value from a request. */
export type SpanFacts = Readonly<Record<string, string | number>>;

/** Traces of this process, while they are on. OP-76 */
export type Tracing = {
  /**
   * Answers a request as the root of a trace, or as part of the one that `traceparent` names; from then on the header
   * names the trace. Times are of `performance.now()`, in milliseconds.
   */
  request<T>(request: { method: string; headers: IncomingHttpHeaders; beganMs: number }, answer: () => T): T;
  /** The response of the current request is ready. `route`: of the policy table, or `*`. */
  requestEnded(route: string, method: string, status: number): void;
  /** Runs a job as a trace of its own. */
  job<T>(queue: string, run: () => Promise<T>): Promise<T>;
  /** Adds work that has just ended to the trace of the current request or job, if there is one. */
  worked(kind: WorkKind, name: string, beganMs: number, facts: SpanFacts, failed?: boolean): void;
  /** As `worked`, for work that begins now and has ended when the result is called. */
  begin(kind: WorkKind): (name: string, facts: SpanFacts, failed?: boolean) => void;
};

/** On `globalThis`, since Next loads this module more than once. */
const process_ = globalThis as { gatehouseTracing?: { current: Tracing | undefined } };
process_.gatehouseTracing ??= { current: undefined };

/**
 * Where work is traced. `current` is undefined while traces are off: then each place costs one comparison, and nothing
 * of OpenTelemetry is loaded.
 */
export const tracing: { current: Tracing | undefined } = process_.gatehouseTracing;
