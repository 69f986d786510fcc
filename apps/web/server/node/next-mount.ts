import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Returns a promise only if it has to wait for the response. */
export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/** Next, mounted in our own server. */
export type NextServer = {
  listener: Listener;
  /** Ends its process. */
  close(): Promise<void>;
};

/** Next in its own process. In development it upgrades connections to hot reload, after the first request. */
export type LoadedNext = NextServer & {
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
};
