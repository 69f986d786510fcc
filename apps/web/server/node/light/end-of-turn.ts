import type { IncomingMessage, ServerResponse } from "node:http";

type Ready = { outgoing: ServerResponse; body: string | Uint8Array; length: number };
let ready: Ready[] = [];

/**
 * Ends a response. All responses of one event loop turn are flushed together: separate writes wake the peer separately,
 * which on a virtual machine costs more than most requests. A single response is not delayed. `length` is the body's
 * length in bytes.
 */
export function endOfTurn(outgoing: ServerResponse, body: string | Uint8Array, length: number): void {
  if (ready.push({ outgoing, body, length }) === 1) setImmediate(flush);
}

function flush(): void {
  const flushing = ready;
  ready = [];
  for (const { outgoing, body, length } of flushing) {
    // Text with as many bytes as characters is ASCII, which needs no encoding.
    outgoing.end(body, body.length === length ? "latin1" : "utf8");
    discardRest(outgoing.req);
  }
}

/** Discards what was not read of a request's body: the next request on the connection comes after it. */
export function discardRest(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  incoming.removeAllListeners("readable");
  incoming.resume();
}
