import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "node:https";

/** Lets a TLS server accept plain HTTP on the same port, so that {@link answerPlainHttp} can answer it. */
export function acceptPlainHttp(server: Server): void;

/**
 * Answers a request that came without TLS: GET and HEAD are redirected to the configured origin, others refused, since
 * what they sent could be read on the way. False, and nothing done, for one that came with TLS and for probes. OP-95
 */
export function answerPlainHttp(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  publicOrigin: string,
  everywhere: Record<string, string>,
): boolean;
