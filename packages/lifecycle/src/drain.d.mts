import type { Server } from "node:http";

export type Patience = {
  /** Seconds for which a process that was asked to stop goes on accepting connections. */
  drainSeconds: number;
  /** Seconds from the request to stop until connections that are still open are cut. */
  stopSeconds: number;
};

/** Keeps track of the server's connections, so that it can be drained. Call it before the server listens. */
export function trackConnections(server: Server): void;

/**
 * Stops servers without failing a request. They serve on for `drainSeconds`, then accept no more connections: from then on every
 * response carries `Connection: close`, and idle connections are closed. After `stopSeconds` the others are cut. Resolves when no
 * connection is left: to true, or to false if some were cut. RFC 9112 §9.6.
 */
export function drain(servers: readonly Server[], patience: Patience): Promise<boolean>;

/** Closes every connection at once, whatever it is doing. */
export function cutConnections(servers: readonly Server[]): void;
