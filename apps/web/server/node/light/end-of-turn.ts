import type { ServerResponse } from "node:http";

type Ready = { outgoing: ServerResponse; body: string | Uint8Array; length: number };
let ready: Ready[] = [];

/**
 * Ends a response. All responses of one event loop turn are flushed together: separate writes wake the peer separately, which on
 * a virtual machine costs more than most requests. A single response is not delayed. `length` is the body's length in bytes.
 */
export function endOfTurn(outgoing: ServerResponse, body: string | Uint8Array, length: number): void {
  if (ready.push({ outgoing, body, length }) === 1) setImmediate(flush);
}

function flush(): void {
  const flushing = ready;
  ready = [];
  // Text with as many bytes as characters is ASCII, which needs no encoding.
  for (const { outgoing, body, length } of flushing) outgoing.end(body, body.length === length ? "latin1" : "utf8");
}
