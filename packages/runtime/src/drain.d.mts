import type { Server } from "node:http";

export type Patience = {
  /** How many seconds a process that was asked to stop still accepts connections. */
  drainSeconds: number;
  /** Seconds from the request to stop until open connections are cut. */
  stopSeconds: number;
};

/** Tracks the server's connections, so that it can be drained. Call it before the server listens. */
export function trackConnections(server: Server): void;

/**
 * Stops servers without failing a request. They keep serving for `drainSeconds`, then stop accepting connections: every
 * response then has `Connection: close`, and idle connections are closed. After `stopSeconds` the remaining connections
 * are cut. Resolves when no connection is left: to true, or to false if some were cut. RFC 9112 §9.6.
 */
export function drain(servers: readonly Server[], patience: Patience): Promise<boolean>;

/** Closes every connection at once, even during a request. */
export function cutConnections(servers: readonly Server[]): void;
