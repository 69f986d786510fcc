import type { IncomingMessage } from "node:http";

type Internals = {
  _dumped: boolean;
  _readableState: Record<"ended" | "endEmitted" | "destroyed" | "closed" | "closeEmitted", boolean>;
};

/**
 * Marks the stream of a body as ended and closed, so that Node does not run it to its end: a fifth of what it spends on
 * a request without a body. Only for a body of which nothing is left to read, and whose events nobody listens to. Node
 * 24 does the same with `optimizeEmptyRequests`.
 */
export function endBody(incoming: IncomingMessage): void {
  const internals = incoming as unknown as Internals;
  internals._dumped = true;
  const state = internals._readableState;
  state.ended = true;
  state.endEmitted = true;
  state.destroyed = true;
  state.closed = true;
  state.closeEmitted = true;
}

/** {@link endBody} for a request that has no body. RFC 9112 §6.3: one without either header has none. */
export function skipEmptyBody(incoming: IncomingMessage): void {
  const { method, headers } = incoming;
  if (method !== "GET" && method !== "HEAD") return;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) endBody(incoming);
}
