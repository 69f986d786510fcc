import type { IncomingMessage, Server } from "node:http";

/** How many unfinished requests each address may have. */
export const MAX_UNFINISHED: number;

type Options = {
  most?: number;
  /** How often to look. A request counts from the second look on. */
  everyMs?: number;
  /** Whether this address is a trusted proxy's: it has other callers' requests. */
  isProxy?: (address: string) => boolean;
  /** The caller's address, once the head of a request has been read. */
  callerOf: (incoming: IncomingMessage) => string | undefined;
};

/**
 * Closes connections, with 503, while an address (of IPv6, a /64) has more than `most` requests of which the head or
 * the body has been incomplete for half a second. The oldest stay. Call it before the server listens. OP-96
 */
export function limitUnfinished(server: Server, options: Options): void;
