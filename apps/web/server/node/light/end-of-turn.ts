import type { ServerResponse } from "node:http";

type Ready = { outgoing: ServerResponse; body: string | Uint8Array; length: number };
let ready: Ready[] = [];

/**
 * Ends an answer together with all others of this turn of the event loop. Whoever waits for one is woken by its packet: of
 * answers sent as each is ready, every single one pays for waking a proxy that has just gone back to sleep, which on a
 * virtual machine costs more than most requests. One that is alone leaves at once. `length` is the body's in bytes.
 */
export function endOfTurn(outgoing: ServerResponse, body: string | Uint8Array, length: number): void {
  if (ready.push({ outgoing, body, length }) === 1) setImmediate(leave);
}

function leave(): void {
  const leaving = ready;
  ready = [];
  // A text with as many bytes as characters is ASCII, and need not be encoded.
  for (const { outgoing, body, length } of leaving) outgoing.end(body, body.length === length ? "latin1" : "utf8");
}
